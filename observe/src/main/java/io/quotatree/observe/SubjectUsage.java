package io.quotatree.observe;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.time.Ticker;
import io.quotatree.observe.NamedSubjects.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@code quotatree_limit}, {@code quotatree_used} and {@code quotatree_effective_limit} of the
 * named subjects that have a limit.
 *
 * <p>Of several limits it is the fullest one, so that used by limit says how full the quota is;
 * requests in flight are told where there is no limit per time. All three of a subject are of one
 * look, and a page's looks are made at its beginning.
 */
final class SubjectUsage {

  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final MeterRegistry registry;
  private final Ticker ticker;

  /** Who tells how full limits are; nobody at first. Guarded by this object's monitor. */
  private @Nullable UsageReader reader;

  private Set<Subject> subjects = Set.of();
  private final List<Row> rows = new ArrayList<>();
  private final List<Meter> meters = new ArrayList<>();
  private long readNanos;

  /** A subject, and its fullest limit when it was last looked at. */
  private static final class Row {
    private final Subject subject;
    private long limitPermits;
    private long usedPermits;

    Row(Subject subject) {
      this.subject = subject;
    }

    void tell(LimitState state) {
      limitPermits = state.limitPermits();
      usedPermits = state.usedPermits();
    }
  }

  SubjectUsage(MeterRegistry registry, Ticker ticker) {
    this.registry = registry;
    this.ticker = ticker;
  }

  synchronized void readFrom(UsageReader source) {
    reader = source;
    register();
  }

  synchronized void use(Set<Subject> changed) {
    subjects = changed;
    register();
  }

  private void register() {
    meters.forEach(registry::remove);
    meters.clear();
    rows.clear();
    for (Subject subject : subjects) {
      LimitState state = look(subject);
      if (state != null) {
        Row row = new Row(subject);
        row.tell(state);
        rows.add(row);
        gauge(
            "quotatree.limit",
            "Permits of the fullest limit of a subject",
            row,
            r -> r.limitPermits);
        gauge("quotatree.used", "Permits in use of the fullest limit", row, r -> r.usedPermits);
        gauge(
            "quotatree.effective.limit",
            "Permits in force now, whatever moves limits",
            row,
            r -> r.limitPermits);
      }
    }
    readNanos = ticker.monotonicNanos();
  }

  private void gauge(String name, String description, Row row, ToDoubleFunction<Row> figure) {
    meters.add(
        Gauge.builder(name, row, r -> read(r, figure))
            .description(description)
            .tag("layer", row.subject.layer().word())
            .tag("subject", row.subject.name())
            .strongReference(true)
            .register(registry));
  }

  private synchronized double read(Row row, ToDoubleFunction<Row> figure) {
    if (ticker.monotonicNanos() - readNanos > FRESH_NANOS) {
      for (Row each : rows) {
        LimitState state = look(each.subject);
        if (state != null) {
          each.tell(state);
        }
      }
      readNanos = ticker.monotonicNanos();
    }
    return figure.applyAsDouble(row);
  }

  private @Nullable LimitState look(Subject subject) {
    UsageReader source = reader;
    if (source == null) {
      return null;
    }
    List<LimitState> states;
    try {
      states = source.usage(subject.layer(), subject.name());
    } catch (IllegalStateException e) {
      // The store that counts gives no answer: what was read last stays.
      return null;
    }
    return states.stream()
        .filter(state -> state.limit().isPresent())
        .max(Comparator.comparingDouble(SubjectUsage::share))
        .orElse(states.isEmpty() ? null : states.get(0));
  }

  private static double share(LimitState state) {
    return state.capacityPermits() == 0
        ? 1
        : (double) state.usedPermits() / state.capacityPermits();
  }
}
