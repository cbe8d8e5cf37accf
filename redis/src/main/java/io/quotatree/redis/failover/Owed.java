package io.quotatree.redis.failover;

import io.quotatree.core.algorithm.Bucket;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.time.Moment;
import java.math.BigInteger;

/**
 * One counter of the gateway's own ledger, and what the store is owed for it: what is used of it,
 * less what is still used of that with which it began.
 */
final class Owed {

  /** The limit alone, as the gateway's share. */
  final Plan plan;

  /** What the whole limit holds, of which {@link #sharePermits} is this gateway's. */
  final long fullPermits;

  final long sharePermits;
  final Account account;
  private final Moment begun;

  /** What it began with. Written under the write lock, or before anybody else sees it. */
  private long begunPermits;

  /**
   * Until when it matters at the latest; any thread writes it, a stale one only keeps it longer.
   */
  volatile long endsMicros;

  Owed(Plan plan, long fullPermits, Account account, Beginning beginning) {
    this.plan = plan;
    this.fullPermits = fullPermits;
    this.sharePermits = plan.step(0).algorithm().capacityPermits();
    this.account = account;
    this.begun = beginning.at();
    this.begunPermits = beginning.permits();
    this.endsMicros = Long.MAX_VALUE;
  }

  /**
   * What a counter begins with.
   *
   * @param permits that are used
   * @param at when they were
   */
  record Beginning(long permits, Moment at) {}

  /** So much of what it began with is not in the store after all. */
  void isOwedMore(long permits) {
    begunPermits = Math.max(0, begunPermits - permits);
  }

  /**
   * What the store is owed.
   *
   * @param usedPermits of the gateway's own counter, now
   * @param resetMicros until nothing is used there
   */
  long permits(long usedPermits, long resetMicros, Moment now) {
    return Math.max(0, usedPermits - stillUsed(resetMicros, now));
  }

  /** Of what it began with; where that is not certain, less: the store is not owed too little. */
  private long stillUsed(long resetMicros, Moment now) {
    RateLimit limit = plan.step(0).limit();
    if (limit == null || begunPermits == 0) {
      return 0;
    }
    boolean window = plan.step(0).algorithm().onWindowTime();
    long period = limit.rate().periodMicros();
    long passed = now.micros(window) - begun.micros(window);
    if (plan.step(0).algorithm() instanceof Bucket) {
      BigInteger refilled =
          BigInteger.valueOf(Math.max(0, passed))
              .multiply(BigInteger.valueOf(limit.rate().permits()))
              .add(BigInteger.valueOf(period - 1))
              .divide(BigInteger.valueOf(period));
      return BigInteger.valueOf(begunPermits).subtract(refilled).max(BigInteger.ZERO).longValue();
    }
    // Of a fixed window the time that it has run; a sliding one forgets each use after a period.
    boolean fixed = limit.algorithm() == AlgorithmName.FIXED_WINDOW;
    long counts = fixed ? period - resetMicros : period;
    return passed < counts || (fixed && passed == counts) ? begunPermits : 0;
  }
}
