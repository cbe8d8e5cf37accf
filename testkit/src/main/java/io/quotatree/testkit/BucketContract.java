package io.quotatree.testkit;

import static io.quotatree.testkit.Limits.leakyBucket;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.policy.Request;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Token and leaky buckets: what they grant, when, and what they say of it. */
interface BucketContract extends LedgerUnderTest {

  @Test
  default void a_token_bucket_is_full_at_first_and_empty_after_its_burst() {
    Stage stage = stage(tree(caller(tokenBucket("10/s", 4))));
    assertThat(stage.allowed(REQUEST, 10)).isEqualTo(4);
  }

  @Test
  default void a_token_bucket_refills_continuously_up_to_its_burst() {
    Stage stage = stage(tree(caller(tokenBucket("10/s", 4))));
    stage.allowed(REQUEST, 4);
    stage.advanceMillis(100);
    assertThat(stage.allowed(REQUEST, 4)).isEqualTo(1);
    stage.advanceMillis(250);
    assertThat(stage.allowed(REQUEST, 4)).isEqualTo(2);
    stage.advance(Duration.ofDays(1));
    assertThat(stage.allowed(REQUEST, 10)).isEqualTo(4);
  }

  @Test
  default void a_token_comes_back_in_the_microsecond_that_is_told() {
    Stage stage = stage(tree(caller(tokenBucket("7/min"))));
    stage.allowed(REQUEST, 7);
    Decision refused = stage.send(REQUEST);
    // A seventh of a minute is 8,571,428.57 µs.
    assertThat(refused.retryAfter().micros()).isEqualTo(8_571_429);
    stage.advanceMicros(8_571_428);
    assertThat(stage.send(REQUEST).allowed()).isFalse();
    stage.advanceMicros(1);
    assertThat(stage.send(REQUEST).allowed()).isTrue();
    assertThat(stage.send(REQUEST).allowed()).isFalse();
  }

  @Test
  default void a_token_bucket_tells_when_it_is_full_again() {
    Stage stage = stage(tree(caller(tokenBucket("10/min"))));
    assertThat(Stage.told(stage.send(REQUEST.withCost(0))).reset().micros()).isZero();
    stage.allowed(REQUEST, 3);
    assertThat(stage.told(REQUEST.withCost(0)).reset().micros()).isEqualTo(18_000_000);
    stage.advanceMillis(5_000);
    assertThat(stage.told(REQUEST.withCost(0)).reset().micros()).isEqualTo(13_000_000);
    assertThat(stage.remaining(REQUEST)).isEqualTo(7);
    stage.advanceMillis(1_000);
    assertThat(stage.remaining(REQUEST)).isEqualTo(8);
  }

  @Test
  default void an_exact_rate_never_drifts() {
    Stage stage = stage(tree(caller(tokenBucket("7/min", 2))));
    stage.allowed(REQUEST, 2);
    int grants = many(7_000);
    for (int i = 1; i <= grants; i++) {
      stage.advanceMicros(stage.send(REQUEST).retryAfter().micros());
      assertThat(stage.send(REQUEST).allowed()).isTrue();
    }
    // Each wait is rounded up to a whole microsecond, and what is over is kept for the next.
    assertThat(stage.elapsed()).isEqualTo(Duration.ofMinutes(grants / 7));
  }

  @Test
  default void B09_polling_does_not_eat_the_fractions_of_a_refill() {
    Stage stage = stage(tree(caller(tokenBucket("5/s", 1))));
    int allowed = 0;
    for (int i = 0; i < 100; i++) {
      allowed += stage.send(REQUEST).allowed() ? 1 : 0;
      stage.advanceMillis(100);
    }
    assertThat(allowed).isEqualTo(50);
  }

  @Test
  default void B09_a_refused_cost_keeps_what_had_come_back() {
    Stage stage = stage(tree(caller(tokenBucket("1/10s", 3))));
    Request three = REQUEST.withCost(3);
    assertThat(stage.send(three).allowed()).isTrue();
    stage.advanceMillis(25_000);
    Decision refused = stage.send(three);
    assertThat(refused.allowed()).isFalse();
    assertThat(Stage.told(refused).remainingPermits()).isEqualTo(2);
    stage.advanceMillis(5_000);
    assertThat(stage.send(three).allowed()).isTrue();
  }

  @Test
  default void a_leaky_bucket_spaces_requests_evenly() {
    Stage stage = stage(tree(caller(leakyBucket("10/s"))));
    assertThat(stage.allowed(REQUEST, 5)).isEqualTo(1);
    stage.advanceMicros(99_999);
    assertThat(stage.send(REQUEST).allowed()).isFalse();
    stage.advanceMicros(1);
    assertThat(stage.allowed(REQUEST, 5)).isEqualTo(1);
    stage.advance(Duration.ofHours(1));
    assertThat(stage.allowed(REQUEST, 5)).isEqualTo(1);
  }

  @Test
  default void a_leaky_bucket_of_a_larger_burst_lets_so_many_through_at_once() {
    Stage stage = stage(tree(caller(leakyBucket("10/s", 3))));
    assertThat(stage.allowed(REQUEST, 5)).isEqualTo(3);
    stage.advanceMillis(200);
    assertThat(stage.allowed(REQUEST, 5)).isEqualTo(2);
  }

  @Test
  default void a_cost_takes_so_many_turns_of_a_leaky_bucket() {
    Stage stage = stage(tree(caller(leakyBucket("10/s"))));
    Decision costly = stage.send(REQUEST.withCost(5));
    assertThat(costly.allowed()).isTrue();
    assertThat(Stage.told(costly).remainingPermits()).isZero();
    Decision next = stage.send(REQUEST.withCost(1_000));
    assertThat(next.allowed()).isFalse();
    assertThat(next.retryAfter().micros()).isEqualTo(500_000);
    assertThat(Stage.told(next).reset().micros()).isEqualTo(500_000);
    stage.advanceMicros(499_999);
    assertThat(stage.send(REQUEST).allowed()).isFalse();
    stage.advanceMicros(1);
    assertThat(stage.send(REQUEST).allowed()).isTrue();
  }
}
