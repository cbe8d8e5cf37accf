package io.quotatree.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Outcome;
import java.util.EnumMap;
import java.util.Map;

/** {@code quotatree_decisions_total}: all its series are there from the start, at 0. */
final class DecisionCounters {

  private static final String NO_LAYER = "none";

  private final Counter allowed;
  private final Counter wouldRefuse;
  private final Counter unavailable;
  private final Map<Layer, Counter> refused = new EnumMap<>(Layer.class);

  DecisionCounters(MeterRegistry registry) {
    allowed = counter(registry, NO_LAYER, Outcome.ALLOWED.word());
    wouldRefuse = counter(registry, NO_LAYER, "would_refuse");
    unavailable = counter(registry, NO_LAYER, Outcome.UNAVAILABLE.word());
    for (Layer layer : Layer.values()) {
      refused.put(layer, counter(registry, layer.word(), Outcome.REFUSED.word()));
    }
  }

  private static Counter counter(MeterRegistry registry, String layer, String outcome) {
    return Counter.builder("quotatree.decisions")
        .description("Decisions by outcome and by the layer that refused")
        .tag("layer", layer)
        .tag("outcome", outcome)
        .register(registry);
  }

  void allowed() {
    allowed.increment();
  }

  void wouldRefuse() {
    wouldRefuse.increment();
  }

  void unavailable() {
    unavailable.increment();
  }

  void refused(Layer layer) {
    Counter counter = refused.get(layer);
    if (counter != null) {
      counter.increment();
    }
  }
}
