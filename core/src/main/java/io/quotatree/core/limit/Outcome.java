package io.quotatree.core.limit;

import java.util.Locale;

/** How a decision ended. */
public enum Outcome {
  /** Every limit granted. */
  ALLOWED,
  /** A limit refused. */
  REFUSED,
  /** The store failed, and a limit says that nothing passes then. */
  UNAVAILABLE;

  /** The outcome as it is written in logs and answers. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
