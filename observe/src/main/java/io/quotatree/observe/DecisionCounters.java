package io.quotatree.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Outcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** {@code quotatree_decisions_total}: all its series are there from the start, at 0. */
final class DecisionCounters {

  private static final String NO_LAYER = "none";
  private static final String WOULD_REFUSE = "would_refuse";

  private final Counter allowed;
  private final Counter unavailable;
  private final Counter wouldRefuseSomewhere;
  private final Map<Layer, Counter> wouldRefuse = new EnumMap<>(Layer.class);
  private final Map<Layer, Counter> refused = new EnumMap<>(Layer.class);

  DecisionCounters(MeterRegistry registry) {
    allowed = counter(registry, NO_LAYER, Outcome.ALLOWED.word());
    unavailable = counter(registry, NO_LAYER, Outcome.UNAVAILABLE.word());
    wouldRefuseSomewhere = counter(registry, NO_LAYER, WOULD_REFUSE);
    for (Layer layer : Layer.values()) {
      wouldRefuse.put(layer, counter(registry, layer.word(), WOULD_REFUSE));
      refused.put(layer, counter(registry, layer.word(), Outcome.REFUSED.word()));
    }
  }

  private static Counter counter(MeterRegistry registry, String layer, String outcome) {
    return Counter.builder("quotatree.decisions")
        .description("Decisions by outcome, and by the layer that refused or would have")
        .tag("layer", layer)
        .tag("outcome", outcome)
        .register(registry);
  }

  void allowed() {
    allowed.increment();
  }

  /**
   * Counts an allowed request that a shadow limit would have refused; in a layer, if it is known.
   */
  void wouldRefuse(Optional<Layer> layer) {
    layer.map(wouldRefuse::get).orElse(wouldRefuseSomewhere).increment();
  }

  void unavailable() {
    unavailable.increment();
  }

  /** Requests that were allowed so far. */
  long allowedSoFar() {
    double sum = allowed.count() + wouldRefuseSomewhere.count();
    for (Counter counter : wouldRefuse.values()) {
      sum += counter.count();
    }
    return (long) sum;
  }

  /** Requests that were decided so far. */
  long allSoFar() {
    double sum = unavailable.count();
    for (Counter counter : refused.values()) {
      sum += counter.count();
    }
    return (long) sum + allowedSoFar();
  }

  void refused(Layer layer) {
    Counter counter = refused.get(layer);
    if (counter != null) {
      counter.increment();
    }
  }
}
