package io.quotatree.redis;

import io.quotatree.core.time.Ticker;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Stops asking one server that gives no answers, so that no request waits for it in vain, and finds
 * out when it is back.
 *
 * <p>It opens after some failures in a row. From soon after the first of them the server is probed
 * by a question of its own, ten times a second and one at a time, and all is well at the first
 * probe that is answered in time: no request is risked, and none is needed. Safe for use by several
 * threads; where it is closed, asking it is one read.
 */
final class Breaker {

  /** A lost connection or a slow answer among good ones is none yet. */
  static final int FAILURES = 5;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * How a server comes back.
   *
   * @param looking is done each time before it is probed, while it is open or near that
   * @param probe asks the server something that it has to write down, as a decision does
   * @param first what is done before anything else is asked of a server that is back
   * @param changed is told when failures began or ended, and when it opened
   */
  record Comeback(
      Runnable looking, Supplier<CompletionStage<?>> probe, Runnable first, Runnable changed) {}

  private final Comeback comeback;
  private final long timeoutNanos;
  private final Ticker ticker;
  private final ScheduledExecutorService timer;

  /** Failures in a row; open from {@link #FAILURES} on, and never more than that. */
  private final AtomicInteger failures = new AtomicInteger();

  /** True while the timer looks after it; whoever sets it has to see to that. */
  private final AtomicBoolean watched = new AtomicBoolean();

  /** True while a probe is under way: a silent server is not probed again and again. */
  private final AtomicBoolean probed = new AtomicBoolean();

  /** Set once, when nobody is sent to its server any more; a stale read costs one look. */
  private volatile boolean isOver;

  /**
   * A closed one.
   *
   * @param comeback how the server comes back
   * @param timeoutNanos how long an answer may take
   */
  Breaker(Comeback comeback, long timeoutNanos, Ticker ticker, ScheduledExecutorService timer) {
    this.comeback = comeback;
    this.timeoutNanos = timeoutNanos;
    this.ticker = ticker;
    this.timer = timer;
  }

  /** Whether the server is not to be asked. */
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
    if (before > 0 && before < FAILURES && failures.compareAndSet(before, 0)) {
      comeback.changed().run();
    }
  }

  /** A question was not answered, or not in time. */
  void failed() {
    int before = failures.getAndUpdate(count -> Math.min(count + 1, FAILURES));
    if (before == 0 || before == FAILURES - 1) {
      comeback.changed().run();
    }
    watch();
  }

  /** Nobody is sent to the server any more. */
  void end() {
    isOver = true;
  }

  private void watch() {
    if (watched.compareAndSet(false, true)) {
      lookLater();
    }
  }

  private void lookLater() {
    if (!timer.isShutdown()) {
      Future<?> unused = timer.schedule(this::look, LOOK_NANOS, TimeUnit.NANOSECONDS);
    }
  }

  private void look() {
    comeback.looking().run();
    if (isOver || !hasFailed()) {
      watched.set(false);
      if (!isOver && hasFailed()) {
        // Who failed in between found it watched.
        watch();
      }
      return;
    }
    if (probed.compareAndSet(false, true)) {
      probe();
    }
    lookLater();
  }

  private void probe() {
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
                    comeback.changed().run();
                  }
                  probed.set(false);
                });
  }
}
