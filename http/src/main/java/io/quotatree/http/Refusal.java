package io.quotatree.http;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Wait;
import java.util.List;

/**
 * What an answer tells of a refused request.
 *
 * @param told the limit that refused it
 * @param refusing all limits that would refuse it now, in order, {@code told} among them
 * @param retryAfter the longest of their waits
 */
record Refusal(LimitState told, List<LimitState> refusing, Wait retryAfter) {

  static Refusal of(Decision decision) {
    LimitState told =
        decision
            .told()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a decision with the outcome "
                            + decision.outcome().word()
                            + " tells no limit: only refused ones are answered with 429"));
    return new Refusal(told, decision.refusing(), decision.retryAfter());
  }
}
