package io.quotatree.testkit.trace;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Wait;
import io.quotatree.testkit.oracle.OracleDecision;
import java.util.List;
import java.util.Optional;

/** All that a decision says, in a shape that the reference and a limiter share. */
record Answer(
    Outcome outcome,
    Optional<Layer> layer,
    Optional<LimitState> told,
    Optional<LimitState> toldOwn,
    List<LimitState> refusing,
    Wait retryAfter,
    boolean wouldRefuse,
    boolean holding,
    long costPermits,
    String api) {

  static Answer of(OracleDecision decision) {
    return new Answer(
        decision.outcome(),
        decision.layer(),
        decision.told(),
        decision.toldOwn(),
        decision.refusing(),
        decision.retryAfter(),
        decision.wouldRefuse(),
        decision.holding(),
        decision.costPermits(),
        decision.api());
  }

  static Answer of(Decision decision) {
    return new Answer(
        decision.outcome(),
        decision.layer(),
        decision.told(),
        decision.toldOwn(),
        List.copyOf(decision.refusing()),
        decision.retryAfter(),
        decision.wouldRefuse(),
        decision.holding(),
        decision.costPermits(),
        decision.api());
  }
}
