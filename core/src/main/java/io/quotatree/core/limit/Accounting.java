package io.quotatree.core.limit;

import java.util.Locale;

/** What becomes of a quota's charge when a later layer refuses the request. */
public enum Accounting {
  /** Nothing was charged: all limits are charged together or none is. */
  STRICT,
  /** It stays charged. */
  LOOSE;

  /** The accounting as it is written in quota files. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
