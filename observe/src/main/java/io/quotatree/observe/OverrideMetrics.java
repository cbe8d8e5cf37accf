package io.quotatree.observe;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** How many quotas operators have put in place of those of the file. */
public final class OverrideMetrics {

  private OverrideMetrics() {}

  /**
   * Shows the overrides in force.
   *
   * @param count answers how many there are
   */
  public static <T> void register(MeterRegistry registry, T overrides, ToDoubleFunction<T> count) {
    Gauge.builder("quotatree.overrides", overrides, count)
        .description("Overrides in force on this gateway")
        .register(registry);
  }
}
