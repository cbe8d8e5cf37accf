package io.quotatree.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quotatree.core.engine.Events;
import io.quotatree.core.limit.OnFailure;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * What operators can count of the store that gateways share: {@code
 * quotatree_store_round_trips_total{result}}, {@code quotatree_store_seconds}, {@code
 * quotatree_store_fallbacks_total{on_failure}}, {@code quotatree_store_state{state}} and {@code
 * quotatree_store_gateways}.
 */
public final class StoreMetrics implements Events {

  private static final Duration[] BUCKETS = {
    Duration.ofNanos(100_000),
    Duration.ofNanos(250_000),
    Duration.ofNanos(500_000),
    Duration.ofMillis(1),
    Duration.ofNanos(2_500_000),
    Duration.ofMillis(5),
    Duration.ofMillis(20),
    Duration.ofMillis(100),
  };

  private final MeterRegistry registry;
  private final Timer answers;
  private final Counter answered;
  private final Counter failed;
  private final Map<OnFailure, Counter> fallbacks = new EnumMap<>(OnFailure.class);

  /** Registers the meters of questions and of what is decided without an answer. */
  public StoreMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.answers =
        Timer.builder("quotatree.store")
            .description("Time that answers of the store took")
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
    this.answered = roundTrips("answered");
    this.failed = roundTrips("failed");
    for (OnFailure way : OnFailure.values()) {
      fallbacks.put(
          way,
          Counter.builder("quotatree.store.fallbacks")
              .description("Requests that were decided without the store")
              .tag("on_failure", way.word())
              .register(registry));
    }
  }

  private Counter roundTrips(String result) {
    return Counter.builder("quotatree.store.round.trips")
        .description("Questions to the store")
        .tag("result", result)
        .register(registry);
  }

  /**
   * Registers what the store looks like from here.
   *
   * @param states all words for how it may be
   * @param state the one that holds
   * @param gateways how many share it
   */
  public void standing(List<String> states, Supplier<String> state, IntSupplier gateways) {
    for (String word : states) {
      Gauge.builder("quotatree.store.state", state, now -> now.get().equals(word) ? 1 : 0)
          .description("1 for the state that the store is in")
          .tag("state", word)
          .strongReference(true)
          .register(registry);
    }
    Gauge.builder("quotatree.store.gateways", gateways, IntSupplier::getAsInt)
        .description("Gateways that share the store, as far as it told")
        .strongReference(true)
        .register(registry);
  }

  @Override
  public void storeAnswered(long nanos) {
    answers.record(nanos, TimeUnit.NANOSECONDS);
    answered.increment();
  }

  @Override
  public void storeFailed() {
    failed.increment();
  }

  @Override
  public void fellBack(OnFailure way) {
    Counter counter = fallbacks.get(way);
    if (counter != null) {
      counter.increment();
    }
  }
}
