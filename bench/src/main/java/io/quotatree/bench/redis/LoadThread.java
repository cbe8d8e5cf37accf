package io.quotatree.bench.redis;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.Certainty;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.policy.Request;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Decides a request each millisecond, or as soon as the last one is answered, and notes how long
 * each took. What it noted is read after its end.
 */
final class LoadThread extends Thread {

  private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int DIGITS = 3;

  /** So many in a row without the store are no slow answers among good ones. */
  private static final int AWAY = 10;

  private final Limiter limiter;
  private final Timeline timeline;
  private final Request request;
  private final Map<Phase, Histogram> nanos = new EnumMap<>(Phase.class);

  /** Decisions that were begun; read by others where this thread does not end. */
  private volatile long asked;

  private volatile long answered;
  private long granted;
  private long unavailable;
  private long straysBefore;
  private long straysAfter;
  private long firstExact = Long.MAX_VALUE;

  /** Decisions in a row that the store did not make. */
  private int away;

  private long lastAway;

  LoadThread(Limiter limiter, Timeline timeline, int number) {
    super("load-" + number);
    this.limiter = limiter;
    this.timeline = timeline;
    this.request = Request.of("app-00001", "u-" + number, "GET", Quotas.NARROW_PATH);
    setDaemon(true);
    for (Phase phase : Phase.values()) {
      nanos.put(phase, new Histogram(LONGEST_NANOS, DIGITS));
    }
  }

  @Override
  public void run() {
    Decision decision = new Decision();
    long due = timeline.now();
    long count = 0;
    while (!timeline.over()) {
      long start = timeline.now();
      asked = ++count;
      limiter.decide(request, decision);
      long end = timeline.now();
      answered = count;
      note(decision, start, end);
      due = Math.max(due + EVERY_NANOS, end);
      for (long left = due - end; left > 0; left = due - timeline.now()) {
        LockSupport.parkNanos(left);
      }
    }
  }

  private void note(Decision decision, long start, long end) {
    Phase phase = timeline.phase(end);
    Histogram histogram = nanos.get(phase);
    if (histogram != null) {
      histogram.recordValue(Math.min(end - start, LONGEST_NANOS));
    }
    granted += decision.allowed() ? 1 : 0;
    unavailable += decision.outcome() == Outcome.UNAVAILABLE ? 1 : 0;
    noteSource(decision.certainty() == Certainty.EXACT, phase, end);
  }

  private void noteSource(boolean isExact, Phase phase, long end) {
    if (isExact) {
      away = 0;
      firstExact = phase == Phase.RETURNED ? Math.min(firstExact, end) : firstExact;
      return;
    }
    away++;
    lastAway = away >= AWAY ? end : lastAway;
    straysBefore += phase == Phase.BEFORE ? 1 : 0;
    straysAfter += firstExact < end ? 1 : 0;
  }

  Map<Phase, Histogram> nanos() {
    return nanos;
  }

  long answered() {
    return answered;
  }

  /** Decisions that were asked for and never answered. */
  long lost() {
    return asked - answered;
  }

  long granted() {
    return granted;
  }

  long unavailable() {
    return unavailable;
  }

  /** Decisions without the store before it failed. */
  long straysBefore() {
    return straysBefore;
  }

  /** Decisions without the store after the first by it on its return. */
  long straysAfter() {
    return straysAfter;
  }

  /** When the store decided again for the first time; never is {@link Long#MAX_VALUE}. */
  long firstExact() {
    return firstExact;
  }

  /** When the store decided again, for good; never is {@link Long#MAX_VALUE}. */
  long exactAgain() {
    return Math.max(firstExact, lastAway);
  }
}
