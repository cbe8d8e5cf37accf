package io.quotatree.core.limit;

import java.util.Locale;

/** How sure a decision is. */
public enum Certainty {
  /** Decided on the ledger's own counters. */
  EXACT,
  /** Decided on permits drawn ahead from a shared ledger. */
  LEASED,
  /** Decided locally while the shared ledger was away. */
  FALLBACK;

  /** The certainty as it is written in logs and answers. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
