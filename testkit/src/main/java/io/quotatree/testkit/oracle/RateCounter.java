package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.RateLimit;
import java.math.BigInteger;

/** The counter of a limit per time; it knows the limit that it was last asked under. */
abstract sealed class RateCounter implements Counter
    permits BucketCounter, FixedWindowCounter, SlidingWindowCounter, SlidingLogCounter {

  private RateLimit limit;

  RateCounter(RateLimit limit) {
    this.limit = limit;
  }

  final RateLimit limit() {
    return limit;
  }

  final long permits() {
    return limit.rate().permits();
  }

  final long periodMicros() {
    return limit.rate().periodMicros();
  }

  /** Puts another limit in force, and keeps what was used, worked out under the old one. */
  final void meet(RateLimit changed, OracleMoment now) {
    RateLimit old = limit;
    limit = changed;
    if (!old.equals(changed)) {
      carryOver(old, now);
    }
  }

  /**
   * Gives back what was charged at some time, as far as it still counts; never more than is used.
   */
  abstract void refund(long cost, OracleMoment chargedAt, OracleMoment now);

  /** Forgets all that was used. */
  abstract void empty();

  /** Restates what was used under the old limit; counts of permits need no restating. */
  void carryOver(RateLimit old, OracleMoment now) {}

  static RateCounter of(RateLimit limit, long staggerMicros) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> new BucketCounter(limit);
      case FIXED_WINDOW -> new FixedWindowCounter(limit, staggerMicros);
      case SLIDING_WINDOW -> new SlidingWindowCounter(limit);
      case SLIDING_LOG -> new SlidingLogCounter(limit);
    };
  }

  /** The quotient, rounded up. */
  static BigInteger ceilDiv(BigInteger dividend, BigInteger divisor) {
    BigInteger[] parts = dividend.divideAndRemainder(divisor);
    return parts[1].signum() > 0 ? parts[0].add(BigInteger.ONE) : parts[0];
  }
}
