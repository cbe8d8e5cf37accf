package io.quotatree.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.policy.QuotaTree;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What operators can count of decisions.
 *
 * <ul>
 *   <li>{@code quotatree_decisions_total{layer,outcome}}: every decision is in exactly one of its
 *       series, so they add up to all requests, and those with outcome {@code refused} to all
 *       refusals. {@code layer} is the layer that refused, {@code none} where none did. {@code
 *       would_refuse} is an allowed request that a shadow limit would have refused; its {@code
 *       layer} is that of the first such limit.
 *   <li>{@code quotatree_refusals_total{layer,subject}}: subjects that the quotas name, at most
 *       {@link #MAX_SUBJECTS}; all others are {@code other}, and so is every user.
 *   <li>{@code quotatree_decision_seconds}, {@code quotatree_subjects}, {@code
 *       quotatree_overflow_total}, {@code quotatree_in_flight}, {@code quotatree_config_revision},
 *       {@code quotatree_config_errors_total}.
 * </ul>
 *
 * <p>How many series there are depends on the quotas alone, never on who calls. Safe for use by
 * several threads; counting an allowed request allocates nothing.
 */
public final class Metrics {

  /** The most subjects that have a series of their own. */
  public static final int MAX_SUBJECTS = 1_000;

  private static final Duration[] DECISION_BUCKETS = {
    Duration.ofNanos(500),
    Duration.ofNanos(1_000),
    Duration.ofNanos(2_500),
    Duration.ofNanos(5_000),
    Duration.ofNanos(10_000),
    Duration.ofNanos(25_000),
    Duration.ofNanos(100_000),
    Duration.ofMillis(1),
    Duration.ofMillis(5),
    Duration.ofMillis(20),
    Duration.ofMillis(100),
  };

  private final MeterRegistry registry;
  private final Map<String, UpstreamMeters> upstreams = new ConcurrentHashMap<>();
  private final DecisionCounters decisions;
  private final RefusalCounters refusals;
  private final Timer decisionTime;
  private final Counter configErrors;
  private final AtomicLong configRevision = new AtomicLong();

  /**
   * Registers the meters.
   *
   * @param registry where they go; {@link PrometheusPage#registry()}, or a host's own
   * @param readings figures that others keep
   */
  public Metrics(MeterRegistry registry, Readings readings) {
    this.registry = registry;
    decisions = new DecisionCounters(registry);
    refusals = new RefusalCounters(registry);
    decisionTime =
        Timer.builder("quotatree.decision")
            .description("Time that decisions took")
            .serviceLevelObjectives(DECISION_BUCKETS)
            .register(registry);
    configErrors =
        Counter.builder("quotatree.config.errors")
            .description("Quota files that were read and refused")
            .register(registry);
    Gauge.builder("quotatree.config.revision", configRevision, AtomicLong::get)
        .description("Revision of the quotas in force")
        .strongReference(true)
        .register(registry);
    Gauge.builder("quotatree.subjects", readings, r -> r.subjects().getAsLong())
        .description("Counters in the ledger")
        .strongReference(true)
        .register(registry);
    Gauge.builder("quotatree.in.flight", readings, r -> r.inFlight().getAsLong())
        .description("Requests under way")
        .strongReference(true)
        .register(registry);
    // A function counter holds what it reads weakly; the gauges above keep it.
    FunctionCounter.builder("quotatree.overflow", readings, r -> r.overflows().getAsLong())
        .description("Charges to overflow counters, because the ledger was full")
        .register(registry);
  }

  /**
   * Says which quotas are in force from now on: their names become series, those of earlier quotas
   * that are not among them end.
   *
   * @param nodeId the name of this gateway, of which the node layer may have a subject
   * @param revision the number of this state of the quotas
   */
  public void use(QuotaTree tree, String nodeId, long revision) {
    refusals.use(NamedSubjects.of(tree, nodeId, MAX_SUBJECTS));
    configRevision.set(revision);
  }

  /** The meters of an upstream of this name; the same ones as long as it is kept. */
  public UpstreamMeters upstream(String name) {
    return upstreams.computeIfAbsent(name, n -> new UpstreamMeters(registry, n));
  }

  /** Says which upstreams there are from now on: the series of all others end. */
  public void keepUpstreams(Set<String> names) {
    upstreams.forEach(
        (name, meters) -> {
          if (!names.contains(name) && upstreams.remove(name, meters)) {
            meters.removeFrom(registry);
          }
        });
  }

  /** Counts a quota file that was read and refused; what was in force stays. */
  public void configRefused() {
    configErrors.increment();
  }

  /**
   * Counts a decision.
   *
   * @param elapsedNanos how long it took to make
   */
  public void decided(Decision decision, long elapsedNanos) {
    decisionTime.record(elapsedNanos, TimeUnit.NANOSECONDS);
    switch (decision.outcome()) {
      case ALLOWED -> allowed(decision);
      case REFUSED -> refused(decision.told().orElseThrow());
      case UNAVAILABLE -> decisions.unavailable();
    }
  }

  private void allowed(Decision decision) {
    if (decision.wouldRefuse()) {
      decisions.wouldRefuse(decision.shadow().map(LimitState::layer));
    } else {
      decisions.allowed();
    }
  }

  private void refused(LimitState told) {
    decisions.refused(told.layer());
    refusals.refused(told.layer(), told.subject());
  }
}
