package io.quotatree.gateway.proxy;

import io.quotatree.core.time.Ticker;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;

/**
 * Watches that something moves: after too long a time without progress it gives up. It watches
 * again if then something else is expected.
 *
 * <p>Progress is noted often and costs one reading of the clock; the timer behind it is armed anew
 * only when it fires. Used on one event loop.
 */
final class Patience {

  private static final Ticker CLOCK = Ticker.system();
  private static final long NO_TIMER = -1;

  private final Vertx vertx;
  private final Runnable atEnd;
  private long limitNanos;
  private long movedNanos;
  private long timer = NO_TIMER;
  private long dueNanos;
  private boolean stopped;

  /** A watch that runs the given action when it gives up. */
  Patience(Vertx vertx, Runnable atEnd) {
    this.vertx = vertx;
    this.atEnd = atEnd;
  }

  /** From now on waits so long for progress. */
  void expectWithin(long millis) {
    if (stopped) {
      return;
    }
    limitNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    progress();
    if (timer != NO_TIMER && movedNanos + limitNanos - dueNanos < 0) {
      vertx.cancelTimer(timer);
      timer = NO_TIMER;
    }
    if (timer == NO_TIMER) {
      arm(limitNanos);
    }
  }

  /** Something moved. */
  void progress() {
    movedNanos = CLOCK.monotonicNanos();
  }

  /** Nothing is waited for any more. */
  void stop() {
    stopped = true;
    if (timer != NO_TIMER) {
      vertx.cancelTimer(timer);
      timer = NO_TIMER;
    }
  }

  private void arm(long nanos) {
    dueNanos = CLOCK.monotonicNanos() + nanos;
    // Rounded up: a timer never fires before its time.
    timer = vertx.setTimer(TimeUnit.NANOSECONDS.toMillis(nanos) + 1, this::fire);
  }

  private void fire(long id) {
    timer = NO_TIMER;
    long leftNanos = movedNanos + limitNanos - CLOCK.monotonicNanos();
    if (leftNanos > 0) {
      arm(leftNanos);
    } else if (!stopped) {
      atEnd.run();
    }
  }
}
