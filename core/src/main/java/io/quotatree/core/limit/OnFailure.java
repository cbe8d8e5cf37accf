package io.quotatree.core.limit;

import java.util.Locale;

/** What becomes of a quota's limits while the store that counts them gives no answer. */
public enum OnFailure {
  /** Each gateway enforces its share of them. */
  LOCAL,
  /** They grant. */
  OPEN,
  /** Requests that they apply to cannot be decided: unavailable, no refusal. */
  CLOSED;

  /** The word that quota files write. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
