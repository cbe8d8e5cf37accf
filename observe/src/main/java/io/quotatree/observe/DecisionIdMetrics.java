package io.quotatree.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToLongFunction;

/**
 * The ids that the decision API gave: {@code quotatree_decision_ids{state}}, state being {@code
 * live} or {@code holding}, and {@code quotatree_decision_id_misses_total{reason}}, reason being
 * {@code unknown} (a call named an id that is unknown, or had ended) or {@code forgotten} (an id
 * gave way before its time, for want of room).
 */
public final class DecisionIdMetrics {

  private DecisionIdMetrics() {}

  /**
   * Registers how many ids are in a state.
   *
   * @param ids what keeps count; somebody has to hold it, for the gauge does not
   */
  public static <T> void now(MeterRegistry registry, String state, T ids, ToLongFunction<T> count) {
    Gauge.builder("quotatree.decision.ids", ids, count::applyAsLong)
        .description("Ids of decisions that can be released or settled")
        .tag("state", state)
        .register(registry);
  }

  /**
   * Registers how many ids were missed for a reason.
   *
   * @param ids what keeps count; somebody has to hold it, for the counter does not
   */
  public static <T> void missed(
      MeterRegistry registry, String reason, T ids, ToLongFunction<T> count) {
    FunctionCounter.builder("quotatree.decision.id.misses", ids, count::applyAsLong)
        .description("Calls by ids that had ended, and ids that gave way before their time")
        .tag("reason", reason)
        .register(registry);
  }
}
