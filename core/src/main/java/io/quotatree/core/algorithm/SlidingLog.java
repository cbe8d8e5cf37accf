package io.quotatree.core.algorithm;

import io.quotatree.core.limit.Rate;

/**
 * The time and cost of every grant in the last period: exact, and as large as the limit.
 *
 * <p>A grant at time x counts until x+p: over (t−p, t]. Refused requests are not logged, so a
 * client that keeps trying does not keep itself out, and the log never holds more entries than
 * permits.
 *
 * <p>This class holds the figures; the log is held, and charged in one step, by the ledger.
 */
public final class SlidingLog implements Algorithm {

  private final long permits;
  private final long periodMicros;

  SlidingLog(Rate rate) {
    this.permits = rate.permits();
    this.periodMicros = rate.periodMicros();
  }

  @Override
  public boolean onWindowTime() {
    return false;
  }

  @Override
  public long capacityPermits() {
    return permits;
  }

  @Override
  public String shape() {
    return "sliding_log-" + periodMicros / 1000;
  }

  /**
   * Until a grant no longer counts.
   *
   * @param time when the last one was
   */
  @Override
  public long resetMicros(long time, long now) {
    return time == UNUSED ? 0 : time + periodMicros - now;
  }

  /** For how long a grant counts. */
  public long periodMicros() {
    return periodMicros;
  }
}
