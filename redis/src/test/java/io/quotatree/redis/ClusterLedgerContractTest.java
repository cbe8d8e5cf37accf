package io.quotatree.redis;

import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.time.ManualTicker;
import io.quotatree.testkit.LedgerContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The shared ledger held to the contract of all ledgers, on a real cluster: each decision is over
 * several slots.
 */
final class ClusterLedgerContractTest extends LedgerContract {

  private static VirtualLedgers ledgers;

  @BeforeAll
  static void start() {
    ledgers = VirtualLedgers.onCluster();
  }

  @AfterAll
  static void stop() {
    ledgers.end();
    ledgers.close();
  }

  @Override
  public int many(int wanted) {
    return wanted / 50;
  }

  @Override
  public Ledger emptyLedger(ManualTicker ticker) {
    return ledgers.empty();
  }
}
