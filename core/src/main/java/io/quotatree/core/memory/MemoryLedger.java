package io.quotatree.core.memory;

import io.quotatree.core.ledger.Ledger;

/** stub: the ledger in memory; safe for several threads. */
public final class MemoryLedger implements Ledger {
  /** A ledger of at most so many live counters; a Policy's max_subjects is put in force by Limiter.use. */
  public MemoryLedger() {}

  /** Counters in the ledger now, expired ones that were not yet dropped included. */
  public long subjects() {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** How many charges went to an overflow counter because max_subjects was reached. */
  public long overflows() {
    return io.quotatree.core.limit.Stub.stub();
  }
}
