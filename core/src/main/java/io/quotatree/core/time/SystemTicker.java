package io.quotatree.core.time;

import java.util.concurrent.TimeUnit;

/**
 * This machine's clocks.
 *
 * <p>The wall clock is re-read ten times a second at most: reading it costs as much as the
 * monotonic clock does, and a step of it is as well noticed 100 ms later.
 */
final class SystemTicker implements Ticker {

  private static final long REREAD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long SLOWEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Makes readings small, so that times in fine units fit a word. */
  private static final long ORIGIN_NANOS = System.nanoTime();

  static final SystemTicker INSTANCE = new SystemTicker();

  /**
   * Wall minus monotonic time, with the moment it was taken. Written by whichever thread finds it
   * old, read by all; immutable, so a plain volatile reference is enough, and a lost write only
   * means that the next reader measures again.
   */
  private volatile Reading reading = Reading.take(0);

  private SystemTicker() {}

  @Override
  public long monotonicNanos() {
    return System.nanoTime() - ORIGIN_NANOS;
  }

  @Override
  public long wallMicros(long monotonicNanos) {
    Reading last = reading;
    if (monotonicNanos - last.takenNanos >= REREAD_NANOS) {
      last = retaken(last);
    }
    return last.offsetMicros + Math.floorDiv(monotonicNanos, 1000L);
  }

  private Reading retaken(Reading last) {
    Reading taken = Reading.take(monotonicNanos());
    if (monotonicNanos() - taken.takenNanos > SLOWEST_NANOS) {
      // The thread was stopped between the two clocks: they say nothing of one another.
      return last;
    }
    reading = taken;
    return taken;
  }

  private record Reading(long takenNanos, long offsetMicros) {
    static Reading take(long nowNanos) {
      long wallMicros = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
      return new Reading(nowNanos, wallMicros - Math.floorDiv(nowNanos, 1000L));
    }
  }
}
