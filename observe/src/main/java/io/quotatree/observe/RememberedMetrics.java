package io.quotatree.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/**
 * What operators can count of a gateway's memory of refusals: {@code
 * quotatree_store_remembered_refusals_total} and {@code quotatree_store_forgettings_total}.
 */
public final class RememberedMetrics {

  private RememberedMetrics() {}

  /**
   * Shows what a memory spares the store.
   *
   * @param told how many refusals it told
   * @param forgotten how often it forgot all
   */
  public static <T> void register(
      MeterRegistry registry, T memory, ToDoubleFunction<T> told, ToDoubleFunction<T> forgotten) {
    FunctionCounter.builder("quotatree.store.remembered.refusals", memory, told)
        .description("Refusals that were remembered, so that the store was not asked")
        .register(registry);
    FunctionCounter.builder("quotatree.store.forgettings", memory, forgotten)
        .description("Times at which all remembered refusals were forgotten")
        .register(registry);
  }
}
