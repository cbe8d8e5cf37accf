package io.quotatree.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleTest {

  private static final long YEAR = 365L * 24 * 60 * 60 * 1_000_000;

  @ParameterizedTest
  @CsvSource({
    "7, 60000000, 7, 60000000",
    "30, 25200000000, 1, 840000000",
    "5000, 60000000, 1, 12000",
    "1000000, 1000000, 1, 1",
    "1000000000, 1000000, 1000, 1"
  })
  void round_rates_are_exact(long permits, long periodMicros, long gain, long unit) {
    assertThat(Scale.of(Rate.of(permits, periodMicros), permits)).isEqualTo(new Scale(gain, unit));
  }

  @Test
  void all_other_rates_are_within_a_millionth_and_never_above_at_full_range() {
    SplittableRandom random = new SplittableRandom(42);
    for (int i = 0; i < 50_000; i++) {
      long permits = magnitude(random, Rate.MAX_PERMITS);
      long period = Math.max(Rate.MIN_PERIOD_MICROS, magnitude(random, YEAR) / 1000 * 1000);
      Rate rate = Rate.of(permits, period);
      long burst = magnitude(random, Rate.MAX_PERMITS);
      if (RateLimit.fillTooLong(rate, burst)) {
        continue;
      }
      Scale scale = Scale.of(rate, burst);
      BigInteger ours = BigInteger.valueOf(scale.gainUnits()).multiply(BigInteger.valueOf(period));
      BigInteger exact =
          BigInteger.valueOf(scale.permitUnits()).multiply(BigInteger.valueOf(permits));
      assertThat(ours).as("%s", rate).isLessThanOrEqualTo(exact);
      assertThat(exact.subtract(ours).multiply(BigInteger.valueOf(1_000_000)))
          .as("%s", rate)
          .isLessThanOrEqualTo(exact);
      assertThat(BigInteger.valueOf(scale.permitUnits()).multiply(BigInteger.valueOf(burst)))
          .as("burst %s at %s", burst, rate)
          .isLessThanOrEqualTo(BigInteger.valueOf(Scale.MAX_UNITS));
      assertThat(scale.gainUnits()).isLessThanOrEqualTo(2_000_000L);
    }
  }

  private static long magnitude(SplittableRandom random, long most) {
    return 1 + (long) Math.pow((double) most - 1, random.nextDouble());
  }

  @ParameterizedTest
  @CsvSource({"999999937, 1000000", "999999937, 1000", "1009, 1000000", "999983, 1000"})
  void a_bucket_never_grants_more_than_its_burst_and_the_rate(long permits, long periodMicros) {
    Rate rate = Rate.of(permits, periodMicros);
    Bucket bucket = Bucket.of(RateLimit.of(AlgorithmName.TOKEN_BUCKET, rate, 1000));
    long now = 5_000_000;
    long word = bucket.fresh(now, 0);
    long start = now;
    long granted = 0;
    SplittableRandom random = new SplittableRandom(permits);
    for (int i = 0; i < 20_000; i++) {
      long cost = bucket.remaining(word, now);
      if (cost > 0) {
        word = bucket.charged(word, now, cost);
        granted += cost;
      }
      // granted ≤ burst + permits·Δt/period, in whole numbers
      assertThat(BigInteger.valueOf(granted - 1000).multiply(BigInteger.valueOf(periodMicros)))
          .isLessThanOrEqualTo(
              BigInteger.valueOf(permits).multiply(BigInteger.valueOf(now - start)));
      now += random.nextInt(3);
    }
  }

  @Test
  void a_clock_that_went_around_finds_a_full_bucket() {
    Rate rate = Rate.of(1_000_000_000, 1000);
    Bucket bucket = Bucket.of(RateLimit.of(AlgorithmName.TOKEN_BUCKET, rate));
    long word = bucket.charged(bucket.fresh(0, 0), 0, 1_000_000_000);
    for (long days = 1; days < 4000; days += 7) {
      assertThat(bucket.isFresh(word, days * 86_400_000_000L)).as("after %s days", days).isTrue();
    }
  }

  @Test
  void a_debt_that_no_word_can_hold_never_becomes_a_grant() {
    Bucket bucket = Bucket.of(RateLimit.of(AlgorithmName.LEAKY_BUCKET, Rate.of(1, YEAR)));
    long word = bucket.charged(bucket.fresh(0, 0), 0, 1_000_000_000);
    assertThat(bucket.grants(word, 0, 1)).isFalse();
    assertThat(bucket.grants(word, 50 * YEAR, 1)).isFalse();
    assertThat(bucket.waitMicros(word, 0, 1)).isGreaterThan(100 * YEAR);
  }
}
