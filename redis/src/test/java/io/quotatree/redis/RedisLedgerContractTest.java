package io.quotatree.redis;

import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.time.ManualTicker;
import io.quotatree.testkit.LedgerContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The shared ledger held to the contract of all ledgers, on a real server. */
final class RedisLedgerContractTest extends LedgerContract {

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
    return wanted / 20;
  }

  @Override
  public Ledger emptyLedger(ManualTicker ticker) {
    return ledgers.empty();
  }
}
