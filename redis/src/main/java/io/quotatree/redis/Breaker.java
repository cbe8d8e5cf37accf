package io.quotatree.redis;

import io.quotatree.core.time.Ticker;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops asking a store that gives no answers, so that no request waits for it in vain, and finds
 * out when it is back.
 *
 * <p>It opens after some failures in a row. While it is open the store is probed by a question of
 * its own, ten times a second, and closes at the first probe that is answered in time: no request
 * is risked. Safe for use by several threads; where it is closed, asking it is one read.
 */
final class Breaker {

  /** A lost connection or a slow answer among good ones is none yet. */
  static final int FAILURES = 5;

  private static final Logger LOG = LoggerFactory.getLogger(Breaker.class);
  private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * How a store comes back.
   *
   * @param probe asks the store what a decision would ask it
   * @param first what is done before anything else is asked of a store that is back
   */
  record Comeback(Supplier<CompletionStage<?>> probe, Runnable first) {}

  private final Comeback comeback;
  private final long timeoutNanos;
  private final Ticker ticker;
  private final ScheduledExecutorService timer;

  /** Failures in a row; open from {@link #FAILURES} on, and never more than that. */
  private final AtomicInteger failures = new AtomicInteger();

  /**
   * A closed one.
   *
   * @param comeback how the store comes back
   * @param timeoutNanos how long an answer may take
   */
  Breaker(Comeback comeback, long timeoutNanos, Ticker ticker, ScheduledExecutorService timer) {
    this.comeback = comeback;
    this.timeoutNanos = timeoutNanos;
    this.ticker = ticker;
    this.timer = timer;
  }

  /** Whether the store is not to be asked. */
  boolean isOpen() {
    return failures.get() >= FAILURES;
  }

  /** Whether the last question was not answered in time. */
  boolean hasFailed() {
    return failures.get() > 0;
  }

  /** A question was answered in time. Those that were asked before it opened do not close it. */
  void answered() {
    int before = failures.get();
    if (before > 0 && before < FAILURES) {
      failures.compareAndSet(before, 0);
    }
  }

  /** A question was not answered, or not in time. */
  void failed() {
    int before = failures.getAndUpdate(count -> Math.min(count + 1, FAILURES));
    if (before == FAILURES - 1) {
      LOG.warn(
          "the store gives no answers; it is asked no more until it does, and quotas hold by their"
              + " on_failure");
      probeLater();
    }
  }

  /** A question failed so soon that asking costs nobody time: known, and no cause to open. */
  void failedAtOnce() {
    failures.compareAndSet(0, 1);
  }

  private void probeLater() {
    if (!timer.isShutdown()) {
      Future<?> unused = timer.schedule(this::probeNow, PROBE_NANOS, TimeUnit.NANOSECONDS);
    }
  }

  private void probeNow() {
    long askedNanos = ticker.monotonicNanos();
    CompletionStage<?> unused =
        comeback
            .probe()
            .get()
            .whenComplete(
                (reply, failure) -> {
                  if (failure == null && ticker.monotonicNanos() - askedNanos <= timeoutNanos) {
                    comeback.first().run();
                    failures.set(0);
                    LOG.info("the store gives answers again");
                  } else {
                    probeLater();
                  }
                });
  }
}
