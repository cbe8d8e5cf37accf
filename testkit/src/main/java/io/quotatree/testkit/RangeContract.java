package io.quotatree.testkit;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.leakyBucket;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.Request;
import java.math.BigInteger;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The ends of the range: nothing overflows, nothing is granted too much. */
interface RangeContract extends LedgerUnderTest {

  /** Ten years, with their leap days. */
  Duration TEN_YEARS = Duration.ofDays(3_653);

  /** Limits at the ends of what can be written. */
  static Stream<RateLimit> extreme() {
    return Stream.of(
        tokenBucket("1000000000/ms"),
        tokenBucket("1000000000/s"),
        tokenBucket("1000000000/year"),
        tokenBucket("999999937/s"),
        tokenBucket("1/ms"),
        tokenBucket("1/year"),
        tokenBucket("1/year", 99),
        tokenBucket("10000000/year", 990_000_000),
        leakyBucket("1/year"),
        leakyBucket("1000000000/ms", 1_000_000_000),
        fixedWindow("1000000000/ms"),
        fixedWindow("1000000000/year"),
        fixedWindow("1/ms"),
        fixedWindow("1/year"),
        slidingWindow("1000000000/ms", 1_000),
        slidingWindow("1000000000/year", 1_000),
        slidingWindow("1/ms", 1_000),
        slidingWindow("1/year", 1),
        slidingLog("100000/ms"),
        slidingLog("100000/year"),
        slidingLog("1/year"));
  }

  @Test
  default void B07_a_million_a_second_is_full_after_three_idle_hours() {
    Stage stage = stage(tree(caller(tokenBucket("1000000/s"))));
    assertThat(stage.send(REQUEST.withCost(1_000_000)).allowed()).isTrue();
    assertThat(stage.send(REQUEST).allowed()).isFalse();
    stage.advance(Duration.ofHours(3));
    assertThat(stage.told(REQUEST).remainingPermits()).isEqualTo(999_999);
  }

  @Test
  default void B07_nearly_a_thousand_million_a_second_is_full_after_ten_seconds() {
    Stage stage = stage(tree(caller(tokenBucket("980000000/s"))));
    stage.send(REQUEST.withCost(980_000_000));
    stage.advanceMillis(10_000);
    assertThat(stage.told(REQUEST).remainingPermits()).isEqualTo(979_999_999);
  }

  @Test
  default void B07_one_a_second_is_full_after_ten_years() {
    Stage stage = stage(tree(caller(tokenBucket("1/s", 5))));
    stage.allowed(REQUEST, 5);
    stage.advance(TEN_YEARS);
    assertThat(stage.allowed(REQUEST, 9)).isEqualTo(5);
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.RangeContract#extreme")
  default void the_whole_capacity_is_granted_once_now_and_once_after_idle_years(RateLimit limit) {
    Stage stage = stage(tree(caller(limit)));
    for (int round = 0; round < 3; round++) {
      Decision whole = stage.send(REQUEST.withCost(limit.capacityPermits()));
      assertThat(whole.allowed()).isTrue();
      assertThat(Stage.told(whole).remainingPermits()).isZero();
      Decision more = stage.send(REQUEST);
      assertThat(more.allowed()).isFalse();
      assertThat(more.retryAfter().micros()).isPositive().isLessThan(Long.MAX_VALUE);
      stage.advanceMicros(Stage.told(more).reset().micros());
      stage.advance(TEN_YEARS);
    }
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.RangeContract#extreme")
  default void a_full_limit_is_granted_one_when_its_wait_is_over_and_not_before(RateLimit limit) {
    Stage stage = stage(tree(caller(limit)));
    stage.send(REQUEST.withCost(limit.capacityPermits()));
    long wait = stage.send(REQUEST).retryAfter().micros();
    stage.advanceMicros(wait - 1);
    assertThat(stage.send(REQUEST).allowed()).isFalse();
    stage.advanceMicros(1);
    assertThat(stage.send(REQUEST).allowed()).isTrue();
  }

  @Test
  default void a_burst_that_takes_nearly_a_hundred_years_fills_as_told() {
    Stage stage = stage(tree(caller(tokenBucket("1/year", 99))));
    assertThat(stage.allowed(REQUEST, 200)).isEqualTo(99);
    stage.advance(Duration.ofDays(365 * 50));
    assertThat(stage.allowed(REQUEST, 200)).isEqualTo(50);
    stage.advance(Duration.ofDays(365 * 100));
    assertThat(stage.allowed(REQUEST, 200)).isEqualTo(99);
  }

  @Test
  default void the_largest_cost_does_not_turn_a_slow_leaky_buckets_debt_into_permits() {
    Stage stage = stage(tree(caller(leakyBucket("1/year"))));
    assertThat(stage.send(REQUEST.withCost(Rate.MAX_PERMITS)).allowed()).isTrue();
    for (int decade = 0; decade < 10; decade++) {
      Decision refused = stage.send(REQUEST);
      assertThat(refused.allowed()).isFalse();
      assertThat(refused.retryAfter().micros()).isGreaterThan(1_000_000);
      stage.advance(TEN_YEARS);
    }
  }

  @Test
  default void the_largest_costs_are_summed_without_overflow() {
    Stage stage = stage(tree(caller(fixedWindow("1000000000/year"))));
    assertThat(stage.send(REQUEST.withCost(999_999_999)).allowed()).isTrue();
    assertThat(stage.send(REQUEST.withCost(1_000_000_000)).allowed()).isFalse();
    assertThat(stage.send(REQUEST.withCost(2)).allowed()).isFalse();
    assertThat(stage.send(REQUEST.withCost(1)).allowed()).isTrue();
  }

  /** Seeds of rates that no small fraction tells. */
  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.RangeContract#seeds")
  default void a_rate_of_no_small_fraction_is_never_exceeded_and_kept_to_a_millionth(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long permits = random.nextLong(1_000, Rate.MAX_PERMITS) | 1;
    long periodMicros = 1_000 * (random.nextLong(1, 1L << random.nextInt(1, 32)) | 1);
    Rate rate = Rate.of(permits, periodMicros);
    // A short period is too short to be cut: time goes in whole microseconds.
    long most = periodMicros < 1_000_000 ? 2 : 1_000;
    long burst = Math.max(1_000, permits / random.nextLong(1, most));
    Stage stage = stage(tree(caller(RateLimit.of(AlgorithmName.TOKEN_BUCKET, rate, burst))));
    assertThat(stage.send(REQUEST.withCost(burst)).allowed()).isTrue();
    long fillMicros = permitsTime(rate, burst).longValueExact();
    BigInteger granted = BigInteger.valueOf(burst);
    for (int i = 0; i < many(300); i++) {
      // Never long enough to fill what the last round left, so that nothing runs over.
      stage.advanceMicros(random.nextLong(0, fillMicros / 3 + 1));
      long left = stage.remaining(REQUEST);
      long cost = left - (left == 0 ? 0 : random.nextLong(0, left / 2 + 1));
      assertThat(stage.send(REQUEST.withCost(cost)).allowed()).isEqualTo(left > 0);
      granted = granted.add(BigInteger.valueOf(cost));
      assertNeverAbove(rate, burst, granted, stage.elapsed());
    }
    BigInteger had = granted.add(BigInteger.valueOf(stage.remaining(REQUEST)));
    assertKept(rate, burst, had, stage.elapsed());
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.RangeContract#seeds")
  default void a_wait_at_a_rate_of_no_small_fraction_is_long_enough(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long permits = random.nextLong(1, Rate.MAX_PERMITS) | 1;
    Rate rate = Rate.of(permits, 1_000 * random.nextLong(1, 1L << random.nextInt(1, 32)));
    Stage stage = stage(tree(caller(RateLimit.of(AlgorithmName.TOKEN_BUCKET, rate, permits))));
    stage.send(REQUEST.withCost(permits));
    for (int i = 0; i < many(100); i++) {
      Request costly = REQUEST.withCost(random.nextLong(1, permits + 1));
      Decision refused = stage.send(costly);
      if (!refused.allowed()) {
        stage.advanceMicros(refused.retryAfter().micros());
        assertThat(stage.send(costly).allowed()).isTrue();
      }
    }
  }

  /** How long permits take to come back, rounded down. */
  private static BigInteger permitsTime(Rate rate, long permits) {
    return BigInteger.valueOf(permits)
        .multiply(BigInteger.valueOf(rate.periodMicros()))
        .divide(BigInteger.valueOf(rate.permits()));
  }

  /** granted ≤ burst + n·t/p, without a division. */
  private static void assertNeverAbove(Rate rate, long burst, BigInteger granted, Duration time) {
    BigInteger period = BigInteger.valueOf(rate.periodMicros());
    BigInteger yielded = BigInteger.valueOf(rate.permits()).multiply(micros(time));
    assertThat(granted.subtract(BigInteger.valueOf(burst)).multiply(period))
        .isLessThanOrEqualTo(yielded);
  }

  /** had ≥ burst + n·t/p·(1 − 10⁻⁶) − 2: one permit for what is rounded down, one for states. */
  private static void assertKept(Rate rate, long burst, BigInteger had, Duration time) {
    BigInteger period = BigInteger.valueOf(rate.periodMicros());
    BigInteger yielded =
        BigInteger.valueOf(rate.permits())
            .multiply(micros(time))
            .multiply(BigInteger.valueOf(999_999))
            .divide(BigInteger.valueOf(1_000_000));
    assertThat(had.subtract(BigInteger.valueOf(burst - 2)).multiply(period))
        .isGreaterThanOrEqualTo(yielded);
  }

  private static BigInteger micros(Duration time) {
    return BigInteger.valueOf(time.toNanos() / 1_000);
  }
}
