package io.quotatree.core.time;

/**
 * One reading of the time, handed down with a request.
 *
 * <p>It is filled by {@link LedgerClock#read(Moment)} and reused. Not for use by several threads at
 * once.
 */
public final class Moment {

  private long nanos;
  private long monotonicMicros;
  private long windowMicros;
  private Ticker ticker = Ticker.system();

  /** A moment that was not read yet. */
  public Moment() {}

  void set(Ticker by, long nanosRead, long monotonic, long window) {
    // Seldom another: a reference that is written costs a fence, one that is read does not.
    if (ticker != by) {
      ticker = by;
    }
    nanos = nanosRead;
    monotonicMicros = monotonic;
    windowMicros = window;
  }

  /** Whole microseconds of monotonic time, rounded down. */
  public long monotonicMicros() {
    return monotonicMicros;
  }

  /** Whole microseconds since the Unix epoch as windows count them. */
  public long windowMicros() {
    return windowMicros;
  }

  /** One of the two. */
  public long micros(boolean window) {
    return window ? windowMicros : monotonicMicros;
  }

  /** Whole microseconds of monotonic time from this moment to now: a new reading of the clock. */
  public long elapsedMicros() {
    return ticker.monotonicNanos() / 1000 - nanos / 1000;
  }

  /**
   * Another moment, later by so many microseconds of either time, or earlier where they are
   * negative.
   */
  public Moment movedBy(long moreMonotonicMicros, long moreWindowMicros) {
    Moment moved = new Moment();
    moved.set(
        ticker,
        nanos + moreMonotonicMicros * 1000,
        monotonicMicros + moreMonotonicMicros,
        windowMicros + moreWindowMicros);
    return moved;
  }
}
