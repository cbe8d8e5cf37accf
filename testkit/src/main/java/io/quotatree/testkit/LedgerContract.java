package io.quotatree.testkit;

/**
 * What every ledger must do, asked through a limiter as users ask it.
 *
 * <p>A ledger's own tests extend this class and say how an empty one is made. Each part of the
 * contract is an interface of tests; faults that other limiters had are named by the number of
 * their case.
 */
public abstract class LedgerContract
    implements BucketContract,
        WindowContract,
        InFlightContract,
        CostContract,
        LayersContract,
        AccountingContract,
        IdentityContract,
        AnswerContract,
        ReloadContract,
        PlansContract,
        RangeContract,
        ClockContract,
        RefundContract,
        UsageContract {

  /** For ledgers' tests. */
  protected LedgerContract() {}
}
