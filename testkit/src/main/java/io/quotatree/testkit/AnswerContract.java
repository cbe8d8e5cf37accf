package io.quotatree.testkit;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.leakyBucket;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.api;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.node;
import static io.quotatree.testkit.Trees.tree;
import static io.quotatree.testkit.Trees.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.QuotaTree;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What answers tell: which limit, what is left, and when to come back. */
interface AnswerContract extends LedgerUnderTest {

  /** Limits whose waits are no round numbers. */
  static Stream<RateLimit> crooked() {
    return Stream.of(
        tokenBucket("7/min", 3),
        leakyBucket("7/min", 2),
        fixedWindow("3/7s"),
        slidingWindow("3/7s"),
        slidingWindow("3/7s", 7),
        slidingLog("3/7s"));
  }

  @ParameterizedTest
  @CsvSource({"1500000, 2", "400000, 1", "400, 1", "59999000, 60", "60000000, 60"})
  default void B57_a_wait_is_told_in_whole_seconds_rounded_up(long waitMicros, long seconds) {
    Stage stage = stage(tree(caller(slidingLog("1/min"))));
    stage.send(REQUEST);
    stage.advanceMicros(60_000_000 - waitMicros);
    Decision refused = stage.send(REQUEST);
    assertThat(refused.retryAfter().micros()).isEqualTo(waitMicros);
    assertThat(refused.retryAfter().seconds()).isEqualTo(seconds);
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.AnswerContract#crooked")
  default void B57_whoever_waits_as_told_is_granted_and_not_a_microsecond_before(RateLimit limit) {
    Stage stage = stage(tree(caller(limit)));
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 500; i++) {
      Decision decision = stage.send(REQUEST);
      if (decision.allowed()) {
        stage.advanceMicros(random.nextInt(100_000));
        continue;
      }
      long wait = decision.retryAfter().micros();
      assertThat(wait).isPositive();
      stage.advanceMicros(wait - 1);
      assertThat(stage.send(REQUEST).allowed()).isFalse();
      assertThat(stage.send(REQUEST).retryAfter().micros()).isEqualTo(1);
      stage.advanceMicros(1);
      assertThat(stage.send(REQUEST).allowed()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.AnswerContract#crooked")
  default void nothing_is_used_any_more_at_the_reset_that_is_told(RateLimit limit) {
    Stage stage = stage(tree(caller(limit)));
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < 300; i++) {
      Decision decision = stage.send(REQUEST);
      long reset = Stage.told(decision).reset().micros();
      if (random.nextInt(4) == 0) {
        stage.advanceMicros(reset - 1);
        assertThat(stage.told(REQUEST.withCost(0)).reset().micros()).isEqualTo(1);
        stage.advanceMicros(1);
        assertThat(stage.told(REQUEST.withCost(0)).reset().micros()).isZero();
        assertThat(stage.remaining(REQUEST)).isEqualTo(limit.capacityPermits());
      } else {
        stage.advanceMicros(random.nextInt(3_000_000));
      }
    }
  }

  @Test
  default void B58_a_refusal_tells_the_limit_with_the_longest_wait() {
    Stage stage = stage(tree(caller(fixedWindow("60/min"), fixedWindow("100/h"))));
    stage.advanceMillis(600_000);
    stage.allowed(REQUEST, 60);
    stage.advanceMillis(60_000);
    assertThat(stage.allowed(REQUEST, 43)).isEqualTo(40);
    LimitState hour = stage.told(REQUEST);
    assertThat(hour.limitPermits()).isEqualTo(100);
    assertThat(hour.remainingPermits()).isZero();
    assertThat(hour.reset().seconds()).isEqualTo(2_940);
    assertThat(hour.retryAfter().seconds()).isEqualTo(2_940);
    assertThat(hour.policyName()).isEqualTo("caller-1h");
  }

  @Test
  default void B58_of_two_full_limits_the_longer_wait_is_told_though_it_is_written_first_or_last() {
    for (List<RateLimit> limits :
        List.of(
            List.of(fixedWindow("20/min"), fixedWindow("20/h")),
            List.of(fixedWindow("20/h"), fixedWindow("20/min")))) {
      Stage stage = stage(tree(caller(limits.get(0), limits.get(1))));
      stage.advanceMillis(640_000);
      stage.allowed(REQUEST, 20);
      Decision refused = stage.send(REQUEST);
      assertThat(refused.refusing()).hasSize(2);
      assertThat(refused.retryAfter().seconds()).isEqualTo(2_960);
      assertThat(Stage.told(refused).reset().seconds()).isEqualTo(2_960);
    }
  }

  @Test
  default void B58_an_allowed_answer_tells_the_limit_that_is_nearest_to_refusal() {
    Stage stage =
        stage(
            tree(
                node(fixedWindow("100/h")),
                caller(fixedWindow("10/h")),
                user(fixedWindow("20/h")),
                api("/x", fixedWindow("4/h"))));
    LimitState scarcest = stage.told(REQUEST);
    assertThat(scarcest.layer()).isEqualTo(Layer.API);
    assertThat(scarcest.remainingPermits()).isEqualTo(3);
    assertThat(scarcest.usedPermits()).isEqualTo(1);
    assertThat(stage.send(REQUEST).toldOwn().orElseThrow().layer()).isEqualTo(Layer.CALLER);
  }

  @Test
  default void equal_shares_tell_the_first_in_order() {
    Stage stage = stage(tree(caller(fixedWindow("10/h")), user(fixedWindow("10/min"))));
    assertThat(stage.told(REQUEST).layer()).isEqualTo(Layer.CALLER);
    Stage third = stage(tree(caller(fixedWindow("3/h")), user(fixedWindow("6/h"))));
    third.send(REQUEST.withCost(2));
    assertThat(third.told(REQUEST.withCost(0)).layer()).isEqualTo(Layer.CALLER);
  }

  @Test
  default void an_instances_limit_refuses_and_is_never_told_of_allowed_requests() {
    QuotaTree tree =
        tree(caller(fixedWindow("100/h")))
            .withNode(new NodeLines(null, Quota.of(fixedWindow("2/h")), List.of()));
    Stage stage = stage(tree);
    assertThat(stage.told(REQUEST).layer()).isEqualTo(Layer.CALLER);
    stage.send(REQUEST);
    LimitState refused = stage.told(REQUEST);
    assertThat(refused.subject()).isEqualTo("node@gw-1");
    assertThat(refused.remainingPermits()).isZero();
  }

  @Test
  default void a_request_that_meets_no_limit_is_told_none() {
    Stage stage = stage(QuotaTree.empty());
    Decision decision = stage.send(REQUEST);
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.told()).isEmpty();
    assertThat(decision.retryAfter().micros()).isZero();
  }

  @Test
  default void what_remains_is_rounded_down() {
    Stage stage = stage(tree(caller(tokenBucket("10/s"))));
    stage.allowed(REQUEST, 10);
    stage.advanceMicros(399_999);
    LimitState told = stage.told(REQUEST.withCost(5));
    assertThat(told.remainingPermits()).isEqualTo(3);
    assertThat(told.usedPermits()).isEqualTo(7);
    stage.advanceMicros(1);
    assertThat(stage.told(REQUEST.withCost(5)).remainingPermits()).isEqualTo(4);
  }
}
