package io.quotatree.app;

import io.quotatree.cli.QuotatreeCommands;
import java.util.List;

/** The entry point of the runnable jar. */
public final class Main {

  private Main() {}

  /** Runs one command, and ends with its exit code. */
  public static void main(String[] args) {
    if (List.of(args).contains("--debug")) {
      // Read by the log's configuration, before anything is logged.
      System.setProperty("quotatree.trace", "full");
    }
    System.exit(QuotatreeCommands.commandLine(new ServeCommand()).execute(args));
  }
}
