package io.quotatree.testkit;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.leakyBucket;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.staggeredWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.api;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.node;
import static io.quotatree.testkit.Trees.tree;
import static io.quotatree.testkit.Trees.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.QuotaTree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A reload keeps what was used, and holds for the very next decision. */
interface ReloadContract extends LedgerUnderTest {

  @Test
  default void B66_reloads_that_change_something_else_refill_nothing() {
    QuotaTree tree = tree(caller(fixedWindow("10/min")), api("/y", fixedWindow("5/min")));
    List<QuotaTree> elsewhere =
        List.of(
            tree(caller(fixedWindow("10/min")), api("/y", fixedWindow("6/min"))),
            tree(caller(fixedWindow("10/min")), node(fixedWindow("10000/min"))),
            tree(caller(fixedWindow("1000/h"), fixedWindow("10/min"))),
            tree);
    Stage stage = stage(tree);
    int allowed = 0;
    for (int i = 0; i < 600; i++) {
      allowed += stage.allowed(REQUEST, 1);
      stage.advanceMillis(100 - (i == 599 ? 1 : 0));
      if (i % 10 == 9) {
        stage.reload(elsewhere.get(i / 10 % elsewhere.size()));
      }
    }
    assertThat(allowed).isEqualTo(10);
  }

  @Test
  default void B66_permits_held_across_a_reload_come_back_to_the_right_counter() {
    QuotaTree two = tree(caller(InFlightContract.atOnce(2)));
    Stage stage = stage(two);
    Decision first = stage.send(REQUEST);
    Decision second = stage.send(REQUEST);
    stage.reload(tree(user(InFlightContract.atOnce(5)), caller(InFlightContract.atOnce(2))));
    assertThat(stage.send(REQUEST).allowed()).isFalse();
    stage.release(first);
    Decision third = stage.send(REQUEST);
    assertThat(third.allowed()).isTrue();
    stage.reload(QuotaTree.empty());
    stage.release(second);
    stage.release(third);
    stage.reload(two);
    assertThat(stage.allowed(REQUEST, 5)).isEqualTo(2);
  }

  @Test
  default void a_lowered_limit_in_flight_waits_for_those_who_run() {
    Stage stage = stage(tree(caller(InFlightContract.atOnce(3))));
    List<Decision> running = List.of(stage.send(REQUEST), stage.send(REQUEST), stage.send(REQUEST));
    stage.reload(tree(caller(InFlightContract.atOnce(1))));
    stage.release(running.get(0));
    stage.release(running.get(1));
    assertThat(stage.send(REQUEST).allowed()).isFalse();
    stage.release(running.get(2));
    assertThat(stage.allowed(REQUEST, 3)).isEqualTo(1);
  }

  @Test
  default void B67_a_window_lowered_below_what_was_used_is_full() {
    Stage stage = stage(tree(caller(fixedWindow("100/min"))));
    stage.allowed(REQUEST, 95);
    stage.reload(tree(caller(fixedWindow("10/min"))));
    Decision refused = stage.send(REQUEST);
    assertThat(refused.allowed()).isFalse();
    assertThat(Stage.told(refused).remainingPermits()).isZero();
    assertThat(Stage.told(refused).usedPermits()).isEqualTo(10);
  }

  @Test
  default void B67_a_raised_limit_has_what_is_more_at_once() {
    for (List<RateLimit> limits :
        List.of(
            List.of(fixedWindow("10/min"), fixedWindow("100/min")),
            List.of(tokenBucket("10/min"), tokenBucket("100/min")),
            List.of(leakyBucket("10/min", 10), leakyBucket("100/min", 100)),
            List.of(slidingWindow("10/min"), slidingWindow("100/min")),
            List.of(slidingLog("10/min"), slidingLog("100/min")))) {
      Stage stage = stage(tree(caller(limits.get(0))));
      assertThat(stage.allowed(REQUEST, 15)).isEqualTo(10);
      stage.reload(tree(caller(limits.get(1))));
      assertThat(stage.allowed(REQUEST, 100)).as(limits.get(1).toString()).isEqualTo(90);
    }
  }

  @Test
  default void B67_another_period_starts_anew() {
    Stage stage = stage(tree(caller(fixedWindow("10/h"))));
    stage.allowed(REQUEST, 10);
    stage.reload(tree(caller(fixedWindow("10/min"))));
    assertThat(stage.allowed(REQUEST, 20)).isEqualTo(10);
  }

  @Test
  default void B67_a_new_rate_is_not_applied_to_the_time_before() {
    Stage stage = stage(tree(caller(tokenBucket("1/s", 100))));
    stage.allowed(REQUEST, 100);
    stage.advanceMillis(50_000);
    stage.reload(tree(caller(tokenBucket("10/s", 100))));
    assertThat(stage.remaining(REQUEST)).isEqualTo(50);
    stage.advanceMillis(1_000);
    assertThat(stage.remaining(REQUEST)).isEqualTo(60);
  }

  @Test
  default void B67_a_limit_that_was_blocked_in_between_is_in_force_at_the_end() {
    Stage stage = stage(tree(caller(fixedWindow("30/min"))));
    stage.allowed(REQUEST, 30);
    stage.reload(tree(caller(Quota.of(Allowance.BLOCKED))));
    assertThat(stage.allowed(REQUEST, 3)).isZero();
    stage.reload(tree(caller(fixedWindow("150/min"))));
    assertThat(stage.allowed(REQUEST, 200)).isEqualTo(120);
  }

  @Test
  default void a_bucket_lowered_below_what_was_used_is_empty() {
    Stage stage = stage(tree(caller(tokenBucket("100/min"))));
    stage.allowed(REQUEST, 60);
    stage.reload(tree(caller(tokenBucket("10/min"))));
    Decision refused = stage.send(REQUEST);
    assertThat(Stage.told(refused).remainingPermits()).isZero();
    assertThat(refused.retryAfter().millis()).isEqualTo(6_000);
  }

  @Test
  default void a_leaky_buckets_debt_stays() {
    Stage stage = stage(tree(caller(leakyBucket("10/s"))));
    stage.send(REQUEST.withCost(50));
    stage.reload(tree(caller(leakyBucket("5/s"))));
    // Fifty turns are taken, and come back at five a second.
    assertThat(stage.send(REQUEST).retryAfter().micros()).isEqualTo(10_000_000);
  }

  @Test
  default void reloads_between_two_decisions_of_a_counter_count_as_one() {
    Stage stage = stage(tree(caller(tokenBucket("1/s", 100))));
    stage.allowed(REQUEST, 100);
    stage.reload(tree(caller(tokenBucket("50/s", 100))));
    stage.advanceMillis(10_000);
    stage.reload(tree(caller(tokenBucket("2/s", 100))));
    // Nobody asked while 50/s was in force.
    assertThat(stage.remaining(REQUEST)).isEqualTo(10);
    stage.advanceMillis(1_000);
    assertThat(stage.remaining(REQUEST)).isEqualTo(12);
  }

  @Test
  default void a_wait_told_under_the_new_rate_is_long_enough() {
    Stage stage = stage(tree(caller(tokenBucket("1/s", 100))));
    stage.allowed(REQUEST, 100);
    stage.advanceMillis(50_000);
    stage.reload(tree(caller(tokenBucket("10/s", 100))));
    Decision refused = stage.send(REQUEST.withCost(60));
    assertThat(refused.retryAfter().micros()).isEqualTo(1_000_000);
    stage.advanceMillis(1_000);
    assertThat(stage.send(REQUEST.withCost(60)).allowed()).isTrue();
  }

  @Test
  default void another_algorithm_slices_or_stagger_starts_anew() {
    List<List<RateLimit>> changes =
        List.of(
            List.of(fixedWindow("5/min"), slidingWindow("5/min")),
            List.of(slidingWindow("5/min", 10), slidingWindow("5/min", 20)),
            List.of(fixedWindow("5/min"), staggeredWindow("5/min")),
            List.of(tokenBucket("5/min"), leakyBucket("5/min", 5)),
            List.of(slidingLog("5/min"), tokenBucket("5/min")));
    for (List<RateLimit> change : changes) {
      Stage stage = stage(tree(caller(change.get(0))));
      stage.allowed(REQUEST, 5);
      stage.reload(tree(caller(change.get(1))));
      assertThat(stage.allowed(REQUEST, 9)).as(change.toString()).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.CostContract#eachAlgorithm")
  default void a_reload_of_the_same_tree_changes_nothing(RateLimit limit) {
    Stage stage = stage(tree(caller(limit)));
    Stage quiet = stage(tree(caller(limit)));
    for (int i = 0; i < 50; i++) {
      Decision decision = stage.send(REQUEST);
      assertThat(decision.told()).isEqualTo(quiet.send(REQUEST).told());
      stage.reload(tree(caller(limit)));
      stage.advanceMicros(5_000_003);
      quiet.advanceMicros(5_000_003);
    }
  }
}
