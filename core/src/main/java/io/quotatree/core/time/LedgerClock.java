package io.quotatree.core.time;

/**
 * The time that ledgers in this process count by, in whole microseconds.
 *
 * <p>{@link #monotonicMicros} serves buckets, logs and permits in flight. {@link #windowMicros} serves
 * windows, slices and calendars: the wall time at start plus the monotonic time since, which follows
 * the wall where the two differ by over a second. A wall that jumped ahead is followed at once; one
 * that was set back is approached by running up to 10% slow, so that this time itself never goes back,
 * and nobody gets a window twice or waits longer than the limit says.
 *
 * <p>Safe for use by several threads. While the wall and this clock agree, reading it writes nothing.
 */
public final class LedgerClock {

  private static final long TOLERANCE_MICROS = 1_000_000;
  private static final long SLOWEST_DIVISOR = 10;
  private static final long NOT_SLEWING = Long.MIN_VALUE;

  private final Ticker ticker;
  private final long originNanos;

  /** Window time minus monotonic time. Written under this object's monitor, read by all without it. */
  private volatile long offsetMicros;

  /** Monotonic time up to which the slew was applied; guarded by this object's monitor. */
  private long slewedToMicros = NOT_SLEWING;

  /** A clock that starts now. */
  public LedgerClock(Ticker ticker) {
    this.ticker = ticker;
    this.originNanos = ticker.monotonicNanos();
    this.offsetMicros = ticker.wallMicros(originNanos);
  }

  /** One reading of the ticker, in its nanoseconds; hand it to the two methods below. */
  public long read() {
    return ticker.monotonicNanos();
  }

  /** Microseconds of monotonic time since this clock was made, rounded down. */
  public long monotonicMicros(long readingNanos) {
    return (readingNanos - originNanos) / 1000;
  }

  /** Microseconds since the Unix epoch as windows count them. */
  public long windowMicros(long readingNanos) {
    long monotonic = monotonicMicros(readingNanos);
    long window = monotonic + offsetMicros;
    long aheadMicros = window - ticker.wallMicros(readingNanos);
    if (aheadMicros <= TOLERANCE_MICROS && aheadMicros >= -TOLERANCE_MICROS) {
      return window;
    }
    return follow(monotonic, readingNanos);
  }

  private synchronized long follow(long monotonic, long readingNanos) {
    long wall = ticker.wallMicros(readingNanos);
    long ahead = monotonic + offsetMicros - wall;
    if (ahead < -TOLERANCE_MICROS) {
      offsetMicros = wall - monotonic;
      slewedToMicros = NOT_SLEWING;
    } else if (ahead > TOLERANCE_MICROS) {
      slew(monotonic, ahead - TOLERANCE_MICROS);
    } else {
      slewedToMicros = NOT_SLEWING;
    }
    return monotonic + offsetMicros;
  }

  private void slew(long monotonic, long excessMicros) {
    if (slewedToMicros == NOT_SLEWING) {
      slewedToMicros = monotonic;
      return;
    }
    // Rounded down, and the rest of the time kept for the next reading: frequent readers slew as fast.
    long slowedMicros = Math.min((monotonic - slewedToMicros) / SLOWEST_DIVISOR, excessMicros);
    if (slowedMicros <= 0) {
      return;
    }
    long offset = offsetMicros;
    offsetMicros = offset - slowedMicros;
    slewedToMicros += slowedMicros * SLOWEST_DIVISOR;
    if (slowedMicros == excessMicros) {
      slewedToMicros = NOT_SLEWING;
    }
  }
}
