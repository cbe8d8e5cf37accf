package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Wait;
import java.math.BigInteger;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts by slice number ⌊t·slices/p⌋. Every slice that overlaps (t−p, t] counts: those from
 * k−slices to k, where k is the slice of t.
 */
final class SlidingWindowCounter extends RateCounter {

  private final TreeMap<Long, Long> countsBySlice = new TreeMap<>();

  SlidingWindowCounter(RateLimit limit) {
    super(limit);
  }

  @Override
  public boolean grants(long cost, OracleMoment now) {
    return sum(now) + cost <= permits();
  }

  @Override
  public Wait wait(long cost, OracleMoment now) {
    if (cost > permits()) {
      return Wait.NEVER;
    }
    long sum = sum(now);
    if (sum + cost <= permits()) {
      return Waits.NONE;
    }
    for (Map.Entry<Long, Long> slice : counting(now).entrySet()) {
      sum -= slice.getValue();
      if (sum + cost <= permits()) {
        return untilLeft(slice.getKey(), now);
      }
    }
    throw new IllegalStateException("empty and still over " + limit());
  }

  @Override
  public void charge(long cost, OracleMoment now) {
    if (cost > 0) {
      countsBySlice.merge(slice(now), cost, Long::sum);
    }
  }

  @Override
  public long remaining(OracleMoment now) {
    return Math.max(0, permits() - sum(now));
  }

  @Override
  public Wait reset(OracleMoment now) {
    SortedMap<Long, Long> counting = counting(now);
    return counting.isEmpty() ? Waits.NONE : untilLeft(counting.lastKey(), now);
  }

  @Override
  void refund(long cost, OracleMoment chargedAt, OracleMoment now) {
    countsBySlice.computeIfPresent(
        slice(chargedAt), (slice, count) -> count > cost ? count - cost : null);
  }

  @Override
  void empty() {
    countsBySlice.clear();
  }

  private long sum(OracleMoment now) {
    return counting(now).values().stream().mapToLong(Long::longValue).sum();
  }

  private SortedMap<Long, Long> counting(OracleMoment now) {
    long last = slice(now);
    return new TreeMap<>(countsBySlice.subMap(last - limit().slices(), true, last, true));
  }

  private long slice(OracleMoment now) {
    BigInteger scaled = BigInteger.valueOf(now.windowMicros()).multiply(slices());
    return scaled.divide(BigInteger.valueOf(periodMicros())).longValueExact();
  }

  /** A slice leaves a period after its end; whole microseconds are rounded up to. */
  private Wait untilLeft(long slice, OracleMoment now) {
    BigInteger end =
        ceilDiv(
            BigInteger.valueOf(slice + 1).multiply(BigInteger.valueOf(periodMicros())), slices());
    return Waits.ofMicros(end.longValueExact() + periodMicros() - now.windowMicros());
  }

  private BigInteger slices() {
    return BigInteger.valueOf(limit().slices());
  }
}
