package io.quotatree.redis;

import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.memo.RememberingLedger;
import io.quotatree.core.time.ManualTicker;
import io.quotatree.testkit.LedgerContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A memory of refusals changes nothing that the contract of all ledgers asks for. */
final class RememberingLedgerContractTest extends LedgerContract {

  private static VirtualLedgers ledgers;

  @BeforeAll
  static void start() {
    ledgers = VirtualLedgers.onOneServer();
  }

  @AfterAll
  static void stop() {
    ledgers.end();
    ledgers.close();
  }

  @Override
  public int many(int wanted) {
    return wanted / 10;
  }

  @Override
  public Ledger emptyLedger(ManualTicker ticker) {
    return new RememberingLedger(ledgers.empty(), ticker);
  }
}
