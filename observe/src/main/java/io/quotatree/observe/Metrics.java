package io.quotatree.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.time.Ticker;
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
 *   <li>{@code quotatree_limit}, {@code _used} and {@code _effective_limit{layer,subject}} of those
 *       subjects.
 *   <li>{@code quotatree_decision_seconds}, {@code quotatree_api_seconds{api}}, {@code
 *       quotatree_pass_ratio}, {@code quotatree_window_start_requests_total} and {@code
 *       …_refusals_total}, {@code quotatree_subjects{layer}}, {@code quotatree_overflow_total},
 *       {@code quotatree_in_flight}, {@code quotatree_config_revision}, {@code
 *       quotatree_config_errors_total}.
 * </ul>
 *
 * <p>How many series there are depends on the quotas alone, never on who calls. Safe for use by
 * several threads; counting an allowed request allocates nothing.
 */
public final class Metrics {

  /** The most subjects that have a series of their own. */
  public static final int MAX_SUBJECTS = 1_000;

  private static final long WINDOW_START_MICROS = TimeUnit.SECONDS.toMicros(5);

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
  private final Counter windowStartRequests;
  private final Counter windowStartRefusals;
  private final ApiTimers apiTimes;
  private final SubjectUsage usage;
  private final AtomicLong configRevision = new AtomicLong();

  /**
   * Registers the meters.
   *
   * @param registry where they go; {@link PrometheusPage#registry()}, or a host's own
   * @param readings figures that others keep
   */
  public Metrics(MeterRegistry registry, Readings readings) {
    this(registry, readings, Ticker.system());
  }

  /**
   * Registers the meters, as of a clock.
   *
   * @param ticker what the last minute, and the age of what was looked up, are told by
   */
  public Metrics(MeterRegistry registry, Readings readings, Ticker ticker) {
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
    windowStartRequests =
        Counter.builder("quotatree.window.start.requests")
            .description("Requests that met a fixed window in its first 5 s")
            .register(registry);
    windowStartRefusals =
        Counter.builder("quotatree.window.start.refusals")
            .description("Those of them that were refused")
            .register(registry);
    apiTimes = new ApiTimers(registry);
    usage = new SubjectUsage(registry, ticker);
    readWhenAsked(readings, ticker);
  }

  private void readWhenAsked(Readings readings, Ticker ticker) {
    PassRatio ratio = new PassRatio(decisions::allowedSoFar, decisions::allSoFar, ticker);
    Gauge.builder("quotatree.pass.ratio", ratio, PassRatio::read)
        .description("Share of requests that were allowed, over about the last minute")
        .strongReference(true)
        .register(registry);
    for (Layer layer : Layer.values()) {
      Gauge.builder("quotatree.subjects", readings, r -> r.subjects().applyAsLong(layer))
          .description("Counters in the ledger")
          .tag("layer", layer.word())
          .strongReference(true)
          .register(registry);
    }
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
    Set<NamedSubjects.Subject> named = NamedSubjects.of(tree, nodeId, MAX_SUBJECTS);
    refusals.use(named);
    usage.use(named);
    apiTimes.use(NamedSubjects.apis(tree, MAX_SUBJECTS));
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

  /** Says who tells how full limits are; until then no series does. */
  public void usageFrom(UsageReader reader) {
    usage.readFrom(reader);
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
    boolean windowStart = decision.metWindowStart(WINDOW_START_MICROS);
    if (windowStart) {
      windowStartRequests.increment();
    }
    if (windowStart && !decision.allowed()) {
      windowStartRefusals.increment();
    }
    switch (decision.outcome()) {
      case ALLOWED -> allowed(decision);
      case REFUSED -> refused(decision.told().orElseThrow());
      case UNAVAILABLE -> decisions.unavailable();
    }
  }

  /**
   * Notes that an allowed request's answer is at its end, or broke off.
   *
   * @param elapsedNanos how long it took, since its decision
   */
  public void ended(Decision decision, long elapsedNanos) {
    if (decision.allowed()) {
      Timer timer = decision.isNamedApi() ? apiTimes.of(decision.api()) : apiTimes.others();
      timer.record(elapsedNanos, TimeUnit.NANOSECONDS);
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
