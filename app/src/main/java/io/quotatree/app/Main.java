package io.quotatree.app;

import io.quotatree.cli.QuotatreeCommands;
import java.util.List;

/** The entry point of the runnable jar. */
public final class Main {

  /** Which allocator of buffers Netty takes; read once, when it is loaded. */
  private static final String ALLOCATOR = "io.netty.allocator.type";

  private Main() {}

  /** Runs one command, and ends with its exit code. */
  public static void main(String[] args) {
    if (List.of(args).contains("--debug")) {
      // Read by the log's configuration, before anything is logged.
      System.setProperty("quotatree.trace", "full");
    }
    // The newer one that Netty takes by itself costs a proxied request more; -D still says so.
    System.setProperty(ALLOCATOR, System.getProperty(ALLOCATOR, "pooled"));
    System.exit(QuotatreeCommands.commandLine(new ServeCommand()).execute(args));
  }
}
