package io.quotatree.redis.failover;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.OnFailure;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import java.math.BigInteger;

/**
 * What one of several gateways may grant of a quota, so that all together keep it: the whole
 * divided by their number, rounded down, but at least 1. Algorithms, periods and windows stay what
 * they are.
 */
final class Shares {

  private final int gateways;
  private final OnFailure usual;

  /**
   * Shares of a fleet.
   *
   * @param gateways how many it has
   * @param usual what becomes of quotas that do not say
   */
  Shares(int gateways, OnFailure usual) {
    this.gateways = gateways;
    this.usual = usual;
  }

  /** A share; of a quota that is to grant meanwhile one that only counts. */
  Quota of(Quota whole) {
    boolean open = whole.onFailure().orElse(usual) == OnFailure.OPEN;
    Quota share = open ? whole.withEnforcement(Enforcement.SHADOW) : whole;
    if (gateways == 1) {
      return share;
    }
    if (share.allowance() instanceof Allowance.Limited limited) {
      share =
          share.withAllowance(
              new Allowance.Limited(limited.limits().stream().map(this::of).toList()));
    }
    return share.concurrency().isEmpty()
        ? share
        : share.withConcurrency(Math.max(1, share.concurrency().getAsInt() / gateways));
  }

  private RateLimit of(RateLimit whole) {
    Rate rate = Rate.of(divided(whole.rate().permits()), whole.rate().periodMicros());
    long burst = whole.algorithm().isBucket() ? burst(whole.burstPermits(), rate) : rate.permits();
    return new RateLimit(whole.algorithm(), rate, burst, whole.slices(), whole.stagger());
  }

  private long divided(long permits) {
    return Math.max(1, permits / gateways);
  }

  /** No more than what a hundred years fill: a rate that was rounded down fills slower. */
  private long burst(long whole, Rate rate) {
    BigInteger fills =
        BigInteger.valueOf(RateLimit.MAX_FILL_MICROS)
            .multiply(BigInteger.valueOf(rate.permits()))
            .divide(BigInteger.valueOf(rate.periodMicros()));
    return fills.min(BigInteger.valueOf(divided(whole))).longValueExact();
  }
}
