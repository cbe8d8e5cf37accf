package io.quotatree.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToLongFunction;

/**
 * What the guard of a gateway kept out, before any quota was asked: {@code
 * quotatree_guard_kept_out_total{bound}}, bound being {@code rate}, {@code in_flight} or {@code
 * connections}.
 */
public final class GuardMetrics {

  private GuardMetrics() {}

  /**
   * Registers the counter of one bound.
   *
   * @param guard what keeps count; somebody has to hold it, for the counter does not
   * @param keptOut how many requests or connections the bound has kept out so far
   */
  public static <G> void register(
      MeterRegistry registry, String bound, G guard, ToLongFunction<G> keptOut) {
    FunctionCounter.builder("quotatree.guard.kept.out", guard, keptOut::applyAsLong)
        .description("Requests and connections that the guard kept out")
        .tag("bound", bound)
        .register(registry);
  }
}
