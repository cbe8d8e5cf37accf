package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.RateLimit;
import java.math.BigInteger;

/**
 * The counter of a limit per time. It knows the limit that it is asked under, and the one that what
 * was used is written under: after a reload the same, else the one that charged last.
 */
abstract sealed class RateCounter implements Counter
    permits BucketCounter, FixedWindowCounter, SlidingWindowCounter, SlidingLogCounter {

  private RateLimit limit;
  private RateLimit writtenUnder;
  private long revision;

  RateCounter(RateLimit limit) {
    this.limit = limit;
    this.writtenUnder = limit;
  }

  final RateLimit writtenUnder() {
    return writtenUnder;
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

  /**
   * Puts a limit in force. After a reload, what was used is worked out under the old limit, and
   * written under the new one; another line of the same quotas only looks at it.
   */
  final void meet(RateLimit asked, long inRevision, OracleMoment now) {
    limit = asked;
    if (inRevision != revision) {
      revision = inRevision;
      if (!writtenUnder.equals(limit)) {
        rewrite(now);
        lower();
      }
    }
  }

  /**
   * Gives back what was charged at some time, as far as it still counts; never more than is used.
   */
  abstract void refund(long cost, OracleMoment chargedAt, OracleMoment now);

  /** Takes a cost that nobody asked for a grant; what is used stays written as it is. */
  void owe(long cost, OracleMoment now) {
    charge(cost, now);
  }

  /** Forgets all that was used. */
  abstract void empty();

  /** Writes what was used under the limit in force. */
  final void rewrite(OracleMoment now) {
    if (!writtenUnder.equals(limit)) {
      restate(now);
      writtenUnder = limit;
    }
  }

  /** Restates what was used in the limit's own terms; counts of permits need no restating. */
  void restate(OracleMoment now) {}

  /** Forgets what was used beyond the limit, where the limit does. */
  void lower() {}

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
