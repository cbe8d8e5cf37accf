package io.quotatree.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What operators can count of one upstream.
 *
 * <ul>
 *   <li>{@code quotatree_upstream_requests_total{upstream,status}}: answers by the class of their
 *       status, {@code 2xx} and so on; WebSockets are {@code 1xx}.
 *   <li>{@code quotatree_upstream_failures_total{upstream,kind}}: tries that brought no answer, or
 *       half of one.
 *   <li>{@code quotatree_upstream_retries_total{upstream}}: tries after a first one that failed.
 *   <li>{@code quotatree_upstream_targets_out{upstream}}: targets that are left out now.
 * </ul>
 *
 * <p>All series are there from the start, and there are as many as the file has upstreams. Safe for
 * use by several threads.
 */
public final class UpstreamMeters {

  private static final int CLASSES = 5;
  private static final String UPSTREAM = "upstream";

  private final List<Meter> meters = new ArrayList<>();
  private final List<Counter> answers = new ArrayList<>();
  private final Map<Failure, Counter> failures = new EnumMap<>(Failure.class);
  private final Counter retries;

  /** Written by whoever notices that a target is left out or taken back; read by the gauge. */
  private final AtomicInteger targetsOut = new AtomicInteger();

  /** How a try may fail. */
  public enum Failure {
    /** No connection came about. */
    CONNECT,
    /** Something was awaited for too long. */
    TIMEOUT,
    /** The connection ended, or what came was no answer. */
    BROKEN,
    /** Too many requests waited for a connection. */
    BUSY
  }

  UpstreamMeters(MeterRegistry registry, String upstream) {
    for (int hundreds = 1; hundreds <= CLASSES; hundreds++) {
      answers.add(
          counted(
              Counter.builder("quotatree.upstream.requests")
                  .description("Answers of an upstream, by the class of their status")
                  .tag(UPSTREAM, upstream)
                  .tag("status", hundreds + "xx")
                  .register(registry)));
    }
    for (Failure failure : Failure.values()) {
      failures.put(
          failure,
          counted(
              Counter.builder("quotatree.upstream.failures")
                  .description("Tries that brought no answer, or half of one")
                  .tag(UPSTREAM, upstream)
                  .tag("kind", failure.name().toLowerCase(Locale.ROOT))
                  .register(registry)));
    }
    retries =
        counted(
            Counter.builder("quotatree.upstream.retries")
                .description("Tries after a first one that failed")
                .tag(UPSTREAM, upstream)
                .register(registry));
    meters.add(
        Gauge.builder("quotatree.upstream.targets.out", targetsOut, AtomicInteger::get)
            .description("Targets of an upstream that are left out now")
            .tag(UPSTREAM, upstream)
            .strongReference(true)
            .register(registry));
  }

  private Counter counted(Counter counter) {
    meters.add(counter);
    return counter;
  }

  /** Meters that nobody reads. */
  public static UpstreamMeters unread() {
    return new UpstreamMeters(new CompositeMeterRegistry(), "unread");
  }

  /**
   * Counts an answer.
   *
   * @param status its HTTP status; one outside of 100 to 599 counts as 5xx
   */
  public void answered(int status) {
    int hundreds = status / 100;
    answers.get(hundreds >= 1 && hundreds <= CLASSES ? hundreds - 1 : CLASSES - 1).increment();
  }

  /** Counts a try that failed. */
  public void failed(Failure how) {
    Counter counter = failures.get(how);
    if (counter != null) {
      counter.increment();
    }
  }

  /** Counts a further try. */
  public void retried() {
    retries.increment();
  }

  /** Says how many targets are left out from now on. */
  public void targetsOut(int targets) {
    targetsOut.set(targets);
  }

  void removeFrom(MeterRegistry registry) {
    meters.forEach(registry::remove);
  }
}
