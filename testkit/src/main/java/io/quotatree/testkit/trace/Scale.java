package io.quotatree.testkit.trace;

import io.quotatree.core.limit.Rate;
import java.math.BigInteger;
import java.util.List;

/**
 * How large a trace's figures are, so that its limits, costs and waits fit each other.
 *
 * @param permits about how many a limit has, over 1 to 10
 * @param periodMicros the shortest period
 */
record Scale(long permits, long periodMicros) {

  private static final List<Long> PERMITS = List.of(1L, 1L, 1L, 1L, 1L, 7L, 1_000L, 90_000_000L);
  private static final long MILLI = 1_000;
  private static final long SECOND = 1_000_000;
  private static final long DAY = 86_400 * SECOND;
  private static final List<Long> PERIODS =
      List.of(
          MILLI, 10 * MILLI, SECOND, SECOND, SECOND, 60 * SECOND, 3_600 * SECOND, DAY, 30 * DAY);
  private static final BigInteger EXACT_NUMERATOR = BigInteger.valueOf(1_000);

  static Scale of(Dice dice) {
    long period = dice.pick(PERIODS);
    long permits = dice.pick(PERMITS);
    // The largest of permits in the shortest of periods would be no exact rate.
    return new Scale(permits > period * 100 ? 1_000 : permits, period);
  }

  /** A rate in which buckets are exact. */
  Rate rate(Dice dice, int most) {
    long period = Math.min(periodMicros * dice.pick(List.of(1, 1, 1, 2, 3, 10)), 365 * DAY);
    for (int tries = 0; tries < 20; tries++) {
      Rate rate = Rate.of(Math.max(count(dice, most), count(dice, most / 2)), period);
      if (exact(rate)) {
        return rate;
      }
    }
    return Rate.of(permits, period);
  }

  /** A number of permits in this scale, up to about the given number of them. */
  long count(Dice dice, int most) {
    long count = permits * dice.between(1, most);
    boolean odd = permits > 1 && dice.chance(20);
    return Math.min(Rate.MAX_PERMITS, odd ? count + dice.between(-3, 3) : count);
  }

  static boolean exact(Rate rate) {
    BigInteger permits = BigInteger.valueOf(rate.permits());
    BigInteger divisor = permits.gcd(BigInteger.valueOf(rate.periodMicros()));
    return permits.divide(divisor).compareTo(EXACT_NUMERATOR) <= 0;
  }
}
