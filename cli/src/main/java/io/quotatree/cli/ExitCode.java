package io.quotatree.cli;

/** What commands tell the shell. */
public final class ExitCode {

  /** All is well. */
  public static final int FINE = 0;

  /** The answer is bad: a file has errors, a scenario failed. */
  public static final int BAD = 1;

  /** Wrong usage, or it could not run. */
  public static final int COULD_NOT_RUN = 2;

  /** The user pressed Ctrl-C: what shells make of a process that it ended. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
