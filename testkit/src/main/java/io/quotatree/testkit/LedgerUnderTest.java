package io.quotatree.testkit;

import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.ManualTicker;

/** A ledger that is held to a contract. */
interface LedgerUnderTest {

  /** The one caller, user and api of tests that need no other. */
  Request REQUEST = Request.of("app", "u1", "GET", "/x");

  /**
   * An empty ledger.
   *
   * @param ticker the time it must live by
   */
  Ledger emptyLedger(ManualTicker ticker);

  /**
   * How many questions are asked where so many are wanted: a ledger that is asked over a connection
   * may ask fewer, so that its tests stay short.
   */
  default int many(int wanted) {
    return wanted;
  }

  /** A gateway with a ledger of its own. */
  default Stage stage(QuotaTree tree) {
    return new Stage(tree, this::emptyLedger);
  }
}
