package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Wait;
import java.util.List;
import java.util.Optional;

/**
 * What a decision should say.
 *
 * @param number how many decisions the oracle made before it, by which its permits are released
 * @param outcome allowed or refused
 * @param layer the layer that refused
 * @param told the limit that the answer tells
 * @param toldOwn when allowed, the limit to tell among the caller's own
 * @param refusing every enforced limit that would refuse the request, in order
 * @param retryAfter the longest wait of {@code refusing}; zero when allowed
 * @param wouldRefuse whether it was allowed and a shadow limit would have refused it
 * @param holding whether it holds permits in flight
 * @param costPermits what the request cost
 * @param api the api that the request belongs to
 */
public record OracleDecision(
    long number,
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

  /** Whether every limit granted. */
  public boolean allowed() {
    return outcome == Outcome.ALLOWED;
  }
}
