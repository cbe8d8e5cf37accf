package io.quotatree.core.algorithm;

import io.quotatree.core.limit.Rate;
import java.math.BigInteger;

/**
 * The units that a bucket counts in: so many come back in a microsecond, so many make a permit.
 *
 * <p>Both are whole numbers, so a bucket's arithmetic never rounds and never drifts. Where permits
 * per microsecond reduce to a fraction whose numerator is at most {@link #MAX_EXACT_GAIN}, the
 * units are that fraction's and the rate is exact. Elsewhere they are those of the simplest
 * fraction that is at most the rate and at least the rate less one part in a million (found by
 * continued fractions), so the rate is never above and always within 10^-6. A simplest fraction has
 * small terms: 10^12 permits a second still count for 53 days before words wrap, 10^9 a second for
 * years.
 *
 * @param gainUnits units that come back in a microsecond
 * @param permitUnits units of a permit
 */
record Scale(long gainUnits, long permitUnits) {

  static final long MAX_EXACT_GAIN = 1000;

  /** Sums of units stay below this, so that differences of words fit a signed 63-bit number. */
  static final long MAX_UNITS = (1L << 62) - 1;

  private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);

  static Scale of(Rate rate, long burstPermits) {
    BigInteger permits = BigInteger.valueOf(rate.permits());
    BigInteger micros = BigInteger.valueOf(rate.periodMicros());
    BigInteger gcd = permits.gcd(micros);
    long gain = permits.divide(gcd).longValueExact();
    long unit = micros.divide(gcd).longValueExact();
    if (gain <= MAX_EXACT_GAIN && unit <= MAX_UNITS / burstPermits) {
      return new Scale(gain, unit);
    }
    // permits·(10^6−1) / (micros·10^6) … permits / micros
    return simplestBetween(
        permits.multiply(MILLION.subtract(BigInteger.ONE)),
        micros.multiply(MILLION),
        permits,
        micros);
  }

  /**
   * The fraction with the smallest terms in the closed interval [lowN/lowD, highN/highD], 0 < low ≤
   * high.
   */
  private static Scale simplestBetween(
      BigInteger lowN, BigInteger lowD, BigInteger highN, BigInteger highD) {
    BigInteger[] fraction = simplest(lowN, lowD, highN, highD);
    return new Scale(fraction[0].longValueExact(), fraction[1].longValueExact());
  }

  private static BigInteger[] simplest(
      BigInteger lowN, BigInteger lowD, BigInteger highN, BigInteger highD) {
    BigInteger[] low = lowN.divideAndRemainder(lowD);
    if (low[1].signum() == 0) {
      return new BigInteger[] {low[0], BigInteger.ONE};
    }
    BigInteger next = low[0].add(BigInteger.ONE);
    if (next.multiply(highD).compareTo(highN) <= 0) {
      return new BigInteger[] {next, BigInteger.ONE};
    }
    // Both ends have the same whole part: the rest is one over the simplest between the
    // reciprocals.
    BigInteger highRest = highN.subtract(low[0].multiply(highD));
    BigInteger[] rest = simplest(highD, highRest, lowD, low[1]);
    return new BigInteger[] {low[0].multiply(rest[0]).add(rest[1]), rest[0]};
  }
}
