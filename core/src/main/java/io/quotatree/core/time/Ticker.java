package io.quotatree.core.time;

/**
 * A source of both times that limits run on.
 *
 * <p>Monotonic time counts nanoseconds from the ticker's own beginning and never steps; wall time
 * is microseconds since the Unix epoch and may step in either direction. Implementations are safe
 * for use by several threads.
 */
public interface Ticker {

  /** Nanoseconds since this ticker began, 0 or more; never goes back. */
  long monotonicNanos();

  /**
   * The wall clock's reading at a moment of monotonic time that was just read.
   *
   * @param monotonicNanos what {@link #monotonicNanos()} answered a moment ago
   * @return microseconds since the Unix epoch, at most 100 ms out of date
   */
  long wallMicros(long monotonicNanos);

  /**
   * The clocks of this machine: one reading of the monotonic clock a decision, the wall's seldom.
   */
  static Ticker system() {
    return SystemTicker.INSTANCE;
  }
}
