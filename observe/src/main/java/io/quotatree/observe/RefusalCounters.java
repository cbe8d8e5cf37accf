package io.quotatree.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quotatree.core.limit.Layer;
import io.quotatree.observe.NamedSubjects.Subject;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * {@code quotatree_refusals_total}: a series for each named subject, and one a layer for all
 * others.
 */
final class RefusalCounters {

  private final MeterRegistry registry;
  private final Map<Layer, Counter> others = new EnumMap<>(Layer.class);

  /**
   * The series of the quotas in force; immutable once published. Written by {@link #use} under this
   * object's monitor, read by all without it: a refusal counted while quotas change may go to a
   * series that is about to end.
   */
  private volatile Map<Subject, Counter> named = Map.of();

  RefusalCounters(MeterRegistry registry) {
    this.registry = registry;
    for (Layer layer : Layer.values()) {
      others.put(layer, counter(layer, NamedSubjects.OTHER));
    }
  }

  synchronized void use(Set<Subject> subjects) {
    Map<Subject, Counter> before = named;
    Map<Subject, Counter> after = new HashMap<>();
    for (Subject subject : subjects) {
      Counter kept = before.get(subject);
      after.put(subject, kept != null ? kept : counter(subject.layer(), subject.name()));
    }
    named = after;
    before.forEach(
        (subject, counter) -> {
          if (!after.containsKey(subject)) {
            registry.remove(counter);
          }
        });
  }

  void refused(Layer layer, String subject) {
    Counter counter = named.get(new Subject(layer, subject));
    if (counter == null) {
      counter = others.get(layer);
    }
    if (counter != null) {
      counter.increment();
    }
  }

  private Counter counter(Layer layer, String subject) {
    return Counter.builder("quotatree.refusals")
        .description("Refusals by layer and by the subject that ran over; unnamed ones are other")
        .tag("layer", layer.word())
        .tag("subject", subject)
        .register(registry);
  }
}
