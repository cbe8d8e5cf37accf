package io.quotatree.cli;

/** A command could not run; its message tells the user why, without a stack trace. */
public final class CommandException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** For a reason that a user can do something about. */
  public CommandException(String reason) {
    super(reason);
  }

  /**
   * For a reason that a user can do something about, with what is behind it for {@code --debug}.
   */
  public CommandException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
