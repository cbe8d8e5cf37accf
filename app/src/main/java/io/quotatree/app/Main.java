package io.quotatree.app;

/** The entry point of the runnable jar. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    String version = Main.class.getPackage().getImplementationVersion();
    System.out.println("quotatree " + (version == null ? "(development)" : version));
  }
}
