package io.quotatree.core.time;

/**
 * The time that ledgers in this process count by, in whole microseconds.
 *
 * <p>Monotonic time serves buckets, logs and permits in flight. Window time serves windows, slices
 * and calendars: the wall time at start plus the monotonic time since, which follows the wall where
 * the two differ by over a second. A wall that jumped ahead is followed at once; one that was set
 * back is approached by running up to 10% slow, so that this time itself never goes back, and
 * nobody gets a window twice or waits longer than the limit says.
 *
 * <p>Safe for use by several threads. While the wall and this clock agree, reading it writes
 * nothing.
 */
public final class LedgerClock {

  private static final long TOLERANCE_MICROS = 1_000_000;
  private static final long SLOWEST_DIVISOR = 10;
  private static final long SLEW_EVERY_MICROS = 1000;
  private static final long NOT_SLEWING = Long.MIN_VALUE;

  private final Ticker ticker;

  /**
   * Window time minus monotonic time. Written under this object's monitor, read by all without it.
   */
  private volatile long offsetMicros;

  /**
   * Monotonic time up to which the slew was applied. Written under this object's monitor, read by
   * all.
   */
  private volatile long slewedToMicros = NOT_SLEWING;

  /** A clock that starts now. */
  public LedgerClock(Ticker ticker) {
    this.ticker = ticker;
    long nanos = ticker.monotonicNanos();
    this.offsetMicros = ticker.wallMicros(nanos) - nanos / 1000;
  }

  /** Reads the time, once, into a moment. */
  public void read(Moment moment) {
    long nanos = ticker.monotonicNanos();
    moment.set(ticker, nanos, nanos / 1000, windowMicros(nanos));
  }

  private long windowMicros(long readingNanos) {
    long monotonic = readingNanos / 1000;
    long window = monotonic + offsetMicros;
    long aheadMicros = window - ticker.wallMicros(readingNanos);
    if (aheadMicros <= TOLERANCE_MICROS && aheadMicros >= -TOLERANCE_MICROS) {
      return window;
    }
    long slewedTo = slewedToMicros;
    boolean slewedJustNow =
        slewedTo != NOT_SLEWING && monotonic - slewedTo < SLEW_EVERY_MICROS && aheadMicros > 0;
    return slewedJustNow ? window : follow(monotonic, readingNanos);
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
    // Rounded down, and the rest of the time kept for the next reading: frequent readers slew as
    // fast.
    long slowedMicros = Math.min((monotonic - slewedToMicros) / SLOWEST_DIVISOR, excessMicros);
    if (slowedMicros <= 0) {
      return;
    }
    long offset = offsetMicros;
    offsetMicros = offset - slowedMicros;
    long slewedTo = slewedToMicros;
    slewedToMicros = slewedTo + slowedMicros * SLOWEST_DIVISOR;
    if (slowedMicros == excessMicros) {
      slewedToMicros = NOT_SLEWING;
    }
  }
}
