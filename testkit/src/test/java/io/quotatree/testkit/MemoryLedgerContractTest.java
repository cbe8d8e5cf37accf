package io.quotatree.testkit;

import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.time.ManualTicker;

/** The memory ledger held to the contract of all ledgers. */
final class MemoryLedgerContractTest extends LedgerContract {

  @Override
  public Ledger emptyLedger(ManualTicker ticker) {
    return new MemoryLedger();
  }
}
