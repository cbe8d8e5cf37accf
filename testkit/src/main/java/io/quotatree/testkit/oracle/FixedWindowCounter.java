package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Wait;

/** A count in the window [k·p+o, (k+1)·p+o) that holds the time. */
final class FixedWindowCounter extends RateCounter {

  private final long offsetMicros;
  private long window = Long.MIN_VALUE;
  private long count;

  FixedWindowCounter(RateLimit limit, long offsetMicros) {
    super(limit);
    this.offsetMicros = offsetMicros;
  }

  @Override
  public boolean grants(long cost, OracleMoment now) {
    return count(now) + cost <= permits();
  }

  @Override
  public Wait wait(long cost, OracleMoment now) {
    if (cost > permits()) {
      return Wait.NEVER;
    }
    return grants(cost, now) ? Waits.NONE : untilEnd(now);
  }

  @Override
  public void charge(long cost, OracleMoment now) {
    count = count(now) + cost;
    window = window(now);
  }

  @Override
  public long remaining(OracleMoment now) {
    return Math.max(0, permits() - count(now));
  }

  @Override
  public Wait reset(OracleMoment now) {
    return count(now) == 0 ? Waits.NONE : untilEnd(now);
  }

  @Override
  void refund(long cost, OracleMoment chargedAt, OracleMoment now) {
    if (window(chargedAt) == window) {
      count = Math.max(0, count - cost);
    }
  }

  @Override
  void empty() {
    count = 0;
  }

  private long count(OracleMoment now) {
    return window(now) == window ? count : 0;
  }

  private long window(OracleMoment now) {
    return Math.floorDiv(now.windowMicros() - offsetMicros, periodMicros());
  }

  private Wait untilEnd(OracleMoment now) {
    return Waits.ofMicros((window(now) + 1) * periodMicros() + offsetMicros - now.windowMicros());
  }
}
