package io.quotatree.core.policy.overlay;

/** Overrides could not be read or stored; the message says what to do about it. */
public final class OverrideStoreException extends Exception {

  private static final long serialVersionUID = 1L;

  /** An outage or a broken file. */
  public OverrideStoreException(String message) {
    super(message);
  }

  /** An outage or a broken file, with what caused it. */
  public OverrideStoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
