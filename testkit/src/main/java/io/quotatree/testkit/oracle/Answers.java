package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Wait;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/** Which limit an answer tells. */
final class Answers {

  private Answers() {}

  /** The limit with the smallest share left, the first of equals. */
  static Optional<LimitState> scarcest(List<LimitState> states) {
    LimitState scarcest = null;
    for (LimitState state : states) {
      if (scarcest == null || share(state, scarcest).compareTo(share(scarcest, state)) < 0) {
        scarcest = state;
      }
    }
    return Optional.ofNullable(scarcest);
  }

  /** A share of remaining/capacity over the product of both capacities. */
  private static BigInteger share(LimitState of, LimitState against) {
    return BigInteger.valueOf(of.remainingPermits())
        .multiply(BigInteger.valueOf(against.capacityPermits()));
  }

  /** The limit with the longest wait, the first of equals. */
  static Optional<LimitState> longest(List<LimitState> states) {
    LimitState longest = null;
    for (LimitState state : states) {
      if (longest == null || state.retryAfter().compareTo(longest.retryAfter()) > 0) {
        longest = state;
      }
    }
    return Optional.ofNullable(longest);
  }

  /** The answer of a blocked quota, which asks nothing else. */
  static OracleDecision blocked(long number, RequestPlan plan, AskedQuota quota) {
    LimitState told =
        new LimitState(
            quota.layer(),
            quota.subject(),
            Optional.empty(),
            0,
            0,
            0,
            Waits.NONE,
            Wait.NEVER,
            quota.quota().origin(),
            false);
    return new OracleDecision(
        number,
        Outcome.REFUSED,
        Optional.of(quota.layer()),
        Optional.of(told),
        Optional.empty(),
        List.of(told),
        Wait.NEVER,
        false,
        false,
        plan.costPermits(),
        plan.api());
  }
}
