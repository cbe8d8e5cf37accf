package io.quotatree.testkit.oracle;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.leakyBucket;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Wait;
import org.junit.jupiter.api.Test;

/** One counter of each kind, with figures worked out by hand. */
class CountersTest {

  private static final long SECOND = 1_000_000;

  @Test
  void a_token_bucket_refills_without_rounding() {
    RateCounter bucket = counter(tokenBucket("7/min"));
    bucket.charge(7, at(0));
    // A seventh of a minute is 8,571,428.57 µs.
    assertThat(bucket.wait(1, at(0)).micros()).isEqualTo(8_571_429);
    assertThat(bucket.grants(1, at(8_571_428))).isFalse();
    assertThat(bucket.grants(1, at(8_571_429))).isTrue();
    assertThat(bucket.reset(at(1)).micros()).isEqualTo(60 * SECOND - 1);
    assertThat(bucket.remaining(at(30 * SECOND))).isEqualTo(3);
  }

  @Test
  void a_token_bucket_never_grants_what_it_cannot_hold() {
    RateCounter bucket = counter(tokenBucket("3/2s", 3));
    assertThat(bucket.wait(4, at(0))).isEqualTo(Wait.NEVER);
    bucket.charge(3, at(0));
    assertThat(bucket.wait(3, at(0)).micros()).isEqualTo(2 * SECOND);
  }

  @Test
  void a_leaky_bucket_takes_turns_ahead() {
    RateCounter bucket = counter(leakyBucket("10/s"));
    assertThat(bucket.grants(5, at(0))).isTrue();
    bucket.charge(5, at(0));
    assertThat(bucket.remaining(at(0))).isZero();
    assertThat(bucket.wait(1, at(0)).micros()).isEqualTo(500_000);
    assertThat(bucket.wait(1_000, at(499_999)).micros()).isEqualTo(1);
    assertThat(bucket.grants(1_000, at(500_000))).isTrue();
  }

  @Test
  void a_fixed_window_ends_where_the_clock_says() {
    RateCounter window = counter(fixedWindow("2/s"));
    window.charge(2, at(300_000));
    assertThat(window.wait(1, at(300_000)).micros()).isEqualTo(700_000);
    assertThat(window.grants(1, at(999_999))).isFalse();
    assertThat(window.grants(2, at(SECOND))).isTrue();
    assertThat(window.reset(at(SECOND)).micros()).isZero();
    assertThat(window.wait(3, at(0))).isEqualTo(Wait.NEVER);
  }

  @Test
  void a_staggered_window_is_moved_by_its_offset() {
    RateCounter window = RateCounter.of(fixedWindow("1/s"), 250_000);
    window.charge(1, at(0));
    assertThat(window.wait(1, at(0)).micros()).isEqualTo(250_000);
    assertThat(window.grants(1, at(250_000))).isTrue();
  }

  @Test
  void a_slice_counts_until_a_period_after_its_end() {
    RateCounter window = counter(slidingWindow("3/s", 4));
    window.charge(1, at(0));
    window.charge(2, at(250_000));
    assertThat(window.wait(1, at(400_000)).micros()).isEqualTo(1_250_000 - 400_000);
    assertThat(window.wait(2, at(400_000)).micros()).isEqualTo(1_500_000 - 400_000);
    assertThat(window.grants(1, at(1_249_999))).isFalse();
    assertThat(window.grants(1, at(1_250_000))).isTrue();
    assertThat(window.reset(at(1_250_000)).micros()).isEqualTo(250_000);
    assertThat(window.remaining(at(1_499_999))).isEqualTo(1);
    assertThat(window.remaining(at(1_500_000))).isEqualTo(3);
  }

  @Test
  void slices_that_are_no_whole_microseconds_end_exactly() {
    RateCounter window = counter(slidingWindow("1/ms", 3));
    window.charge(1, at(333));
    // The slice is [0, 333.3 µs): it leaves at 1,333.3 µs.
    assertThat(window.wait(1, at(333)).micros()).isEqualTo(1_001);
    assertThat(window.grants(1, at(1_333))).isFalse();
    assertThat(window.grants(1, at(1_334))).isTrue();
  }

  @Test
  void a_log_forgets_each_grant_a_period_after_it() {
    RateCounter log = counter(slidingLog("3/s"));
    log.charge(2, at(10));
    log.charge(1, at(20));
    assertThat(log.wait(1, at(30)).micros()).isEqualTo(SECOND - 20);
    assertThat(log.wait(3, at(30)).micros()).isEqualTo(SECOND - 10);
    assertThat(log.grants(1, at(SECOND + 9))).isFalse();
    assertThat(log.grants(2, at(SECOND + 10))).isTrue();
    assertThat(log.reset(at(30)).micros()).isEqualTo(SECOND - 10);
  }

  @Test
  void a_raised_bucket_keeps_what_was_used() {
    RateCounter bucket = counter(tokenBucket("10/min"));
    bucket.charge(10, at(0));
    bucket.meet(tokenBucket("100/min"), 1, at(0));
    assertThat(bucket.remaining(at(0))).isEqualTo(90);
  }

  @Test
  void the_old_rate_holds_until_the_first_decision_after_a_reload() {
    RateCounter bucket = counter(tokenBucket("1/s", 100));
    bucket.charge(100, at(0));
    bucket.meet(tokenBucket("10/s", 100), 1, at(50 * SECOND));
    assertThat(bucket.remaining(at(50 * SECOND))).isEqualTo(50);
    assertThat(bucket.remaining(at(51 * SECOND))).isEqualTo(60);
  }

  @Test
  void a_bucket_lowered_below_what_was_used_is_empty_and_a_leaky_debt_stays() {
    RateCounter bucket = counter(tokenBucket("100/min"));
    bucket.charge(60, at(0));
    bucket.meet(tokenBucket("10/min"), 1, at(0));
    assertThat(bucket.wait(1, at(0)).micros()).isEqualTo(6 * SECOND);
    RateCounter leaky = counter(leakyBucket("100/min", 100));
    leaky.charge(60, at(0));
    leaky.meet(leakyBucket("10/min", 10), 2, at(0));
    assertThat(leaky.wait(1, at(0)).micros()).isEqualTo(51 * 6 * SECOND);
  }

  @Test
  void another_line_of_the_same_quotas_forgets_nothing_and_wears_off_as_it_was_written() {
    RateCounter bucket = counter(tokenBucket("100/min"));
    bucket.meet(tokenBucket("100/min"), 1, at(0));
    bucket.charge(60, at(0));
    bucket.meet(tokenBucket("10/min"), 1, at(0));
    assertThat(bucket.remaining(at(0))).isZero();
    // 51 of the 60 come back at 100 a minute.
    assertThat(bucket.wait(1, at(0)).micros()).isEqualTo(51 * 600_000);
    bucket.meet(tokenBucket("100/min"), 1, at(0));
    assertThat(bucket.remaining(at(0))).isEqualTo(40);
    bucket.meet(tokenBucket("10/min"), 1, at(51 * 600_000));
    bucket.charge(1, at(51 * 600_000));
    assertThat(bucket.reset(at(51 * 600_000)).micros()).isEqualTo(60 * SECOND);
  }

  @Test
  void usage_is_rounded_up_to_units_of_the_new_rate() {
    RateCounter bucket = counter(tokenBucket("3/s", 3));
    bucket.charge(1, at(0));
    // A permit is 1,000,000 units of which 3 come back a µs; after 1 µs 999,997 are used. At 7/9s a
    // permit
    // is 9,000,000 units: 8,999,973 are used, at 7 a µs: 1,285,710.4 µs.
    bucket.meet(tokenBucket("7/9s", 3), 1, at(1));
    assertThat(bucket.reset(at(1)).micros()).isEqualTo(1_285_711);
    bucket.meet(tokenBucket("9/9s", 3), 2, at(1));
    // A permit is 1,000,000 units again, one of which comes back a µs.
    assertThat(bucket.reset(at(1)).micros()).isEqualTo(999_997);
    bucket.meet(tokenBucket("300000/9s", 3), 3, at(1));
    // 30 µs a permit; 29.99991 are used.
    assertThat(bucket.reset(at(1)).micros()).isEqualTo(30);
  }

  @Test
  void a_window_lowered_below_what_was_used_waits() {
    RateCounter window = counter(fixedWindow("100/min"));
    window.charge(95, at(0));
    window.meet(fixedWindow("10/min"), 1, at(0));
    assertThat(window.remaining(at(0))).isZero();
    assertThat(window.grants(1, at(0))).isFalse();
    window.meet(fixedWindow("100/min"), 2, at(0));
    assertThat(window.remaining(at(0))).isEqualTo(5);
  }

  private static RateCounter counter(RateLimit limit) {
    return RateCounter.of(limit, 0);
  }

  private static OracleMoment at(long micros) {
    return new OracleMoment(micros, micros);
  }
}
