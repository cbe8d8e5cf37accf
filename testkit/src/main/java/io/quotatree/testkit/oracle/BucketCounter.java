package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Wait;
import java.math.BigInteger;

/**
 * A bucket, in units so small that nothing is ever rounded: with n/p permits a microsecond reduced
 * to n'/p', a microsecond yields n' units and a permit costs p' of them.
 */
final class BucketCounter extends RateCounter {

  private BigInteger usedUnits = BigInteger.ZERO;
  private long usedAtMicros;

  BucketCounter(RateLimit limit) {
    super(limit);
  }

  @Override
  public boolean grants(long cost, OracleMoment now) {
    return excessUnits(cost, now).signum() <= 0;
  }

  @Override
  public Wait wait(long cost, OracleMoment now) {
    if (needPermits(cost) > limit().burstPermits()) {
      return Wait.NEVER;
    }
    return untilYielded(excessUnits(cost, now));
  }

  @Override
  public void charge(long cost, OracleMoment now) {
    rewrite(now);
    usedUnits = usedUnits(now).add(inUnits(limit(), cost));
    usedAtMicros = now.monotonicMicros();
  }

  @Override
  public long remaining(OracleMoment now) {
    BigInteger used = ceilDiv(usedUnits(now), unitsOfPermit(writtenUnder()));
    return BigInteger.valueOf(limit().burstPermits())
        .subtract(used)
        .max(BigInteger.ZERO)
        .longValueExact();
  }

  @Override
  public Wait reset(OracleMoment now) {
    return untilYielded(usedUnits(now));
  }

  @Override
  void refund(long cost, OracleMoment chargedAt, OracleMoment now) {
    BigInteger left = usedUnits(now).subtract(inUnits(writtenUnder(), cost));
    usedUnits = left.max(BigInteger.ZERO);
    usedAtMicros = now.monotonicMicros();
  }

  @Override
  void owe(long cost, OracleMoment now) {
    usedUnits = usedUnits(now).add(inUnits(writtenUnder(), cost));
    usedAtMicros = now.monotonicMicros();
  }

  @Override
  void empty() {
    usedUnits = BigInteger.ZERO;
  }

  @Override
  void restate(OracleMoment now) {
    BigInteger used = usedUnits(now).multiply(unitsOfPermit(limit()));
    usedUnits = ceilDiv(used, unitsOfPermit(writtenUnder()));
    usedAtMicros = now.monotonicMicros();
  }

  @Override
  void lower() {
    if (limit().algorithm() == AlgorithmName.TOKEN_BUCKET) {
      usedUnits = usedUnits.min(inUnits(limit(), limit().burstPermits()));
    }
  }

  /** By how much too much is used, in the units that it is written in. */
  private BigInteger excessUnits(long cost, OracleMoment now) {
    long mayBeUsedPermits = limit().burstPermits() - needPermits(cost);
    return usedUnits(now).subtract(inUnits(writtenUnder(), mayBeUsedPermits));
  }

  /** How many permits must be there; a leaky bucket lets costs take turns ahead. */
  private long needPermits(long cost) {
    return limit().algorithm() == AlgorithmName.LEAKY_BUCKET ? 1 : cost;
  }

  private BigInteger usedUnits(OracleMoment now) {
    BigInteger elapsed = BigInteger.valueOf(now.monotonicMicros() - usedAtMicros);
    return usedUnits.subtract(elapsed.multiply(unitsOfMicro(writtenUnder()))).max(BigInteger.ZERO);
  }

  private Wait untilYielded(BigInteger units) {
    if (units.signum() <= 0) {
      return Waits.NONE;
    }
    return Waits.ofMicros(ceilDiv(units, unitsOfMicro(writtenUnder())));
  }

  private static BigInteger inUnits(RateLimit under, long permits) {
    return BigInteger.valueOf(permits).multiply(unitsOfPermit(under));
  }

  private static BigInteger unitsOfMicro(RateLimit under) {
    return BigInteger.valueOf(under.rate().permits()).divide(divisor(under));
  }

  private static BigInteger unitsOfPermit(RateLimit under) {
    return BigInteger.valueOf(under.rate().periodMicros()).divide(divisor(under));
  }

  private static BigInteger divisor(RateLimit under) {
    return BigInteger.valueOf(under.rate().permits())
        .gcd(BigInteger.valueOf(under.rate().periodMicros()));
  }
}
