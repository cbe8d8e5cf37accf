package io.quotatree.testkit;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.leakyBucket;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.apiRule;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.node;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.ApiRule;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a request costs, and what costs nothing or too much. */
interface CostContract extends LedgerUnderTest {

  /** A limit of five a minute, or what comes closest, of each algorithm that refuses by cost. */
  static Stream<RateLimit> fiveAMinute() {
    return Stream.of(
        tokenBucket("5/min"), fixedWindow("5/min"), slidingWindow("5/min"), slidingLog("5/min"));
  }

  /** One limit of each algorithm. */
  static Stream<RateLimit> eachAlgorithm() {
    return Stream.concat(fiveAMinute(), Stream.of(leakyBucket("5/min", 5)));
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.CostContract#eachAlgorithm")
  default void a_cost_takes_so_many_permits(RateLimit limit) {
    Stage stage = stage(tree(caller(limit)));
    assertThat(Stage.told(stage.send(REQUEST.withCost(3))).remainingPermits()).isEqualTo(2);
    assertThat(stage.allowed(REQUEST, 5)).isEqualTo(2);
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.CostContract#fiveAMinute")
  default void B14_the_whole_capacity_may_be_taken_at_once(RateLimit limit) {
    Stage stage = stage(tree(caller(limit)));
    Decision whole = stage.send(REQUEST.withCost(5));
    assertThat(whole.allowed()).isTrue();
    assertThat(Stage.told(whole).remainingPermits()).isZero();
    assertThat(stage.send(REQUEST.withCost(5)).retryAfter().never()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.CostContract#fiveAMinute")
  default void B14_a_cost_over_the_capacity_is_refused_for_ever_and_spends_nothing(
      RateLimit limit) {
    Stage stage = stage(tree(caller(limit)));
    for (long cost : new long[] {6, 5_000, Rate.MAX_PERMITS}) {
      Decision decision = stage.send(REQUEST.withCost(cost));
      assertThat(decision.allowed()).isFalse();
      assertThat(decision.retryAfter().never()).isTrue();
      assertThat(Stage.told(decision).remainingPermits()).isEqualTo(5);
    }
    assertThat(stage.allowed(REQUEST, 6)).isEqualTo(5);
  }

  @Test
  default void B14_a_bucket_of_three_in_two_seconds_tells_two_seconds_for_three_more() {
    Stage stage = stage(tree(caller(tokenBucket("3/2s", 3))));
    assertThat(stage.send(REQUEST.withCost(4)).retryAfter().never()).isTrue();
    assertThat(stage.send(REQUEST.withCost(3)).allowed()).isTrue();
    assertThat(stage.send(REQUEST.withCost(3)).retryAfter().micros()).isEqualTo(2_000_000);
  }

  @Test
  default void B14_never_is_the_longest_wait_of_all() {
    Stage stage = stage(tree(caller(fixedWindow("10/min"), tokenBucket("3/h"))));
    stage.send(REQUEST.withCost(3));
    Decision decision = stage.send(REQUEST.withCost(8));
    assertThat(decision.retryAfter().never()).isTrue();
    assertThat(Stage.told(decision).limitPermits()).isEqualTo(3);
    assertThat(decision.refusing()).hasSize(2);
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.CostContract#eachAlgorithm")
  default void cost_nothing_is_decided_as_one_and_takes_nothing(RateLimit limit) {
    Stage stage = stage(tree(caller(limit)));
    assertThat(stage.allowed(REQUEST.withCost(0), 20)).isEqualTo(20);
    assertThat(stage.allowed(REQUEST, 5)).isEqualTo(5);
    Decision free = stage.send(REQUEST.withCost(0));
    assertThat(free.allowed()).isFalse();
    assertThat(free.retryAfter()).isEqualTo(stage.send(REQUEST).retryAfter());
  }

  @Test
  default void cost_nothing_holds_nothing_and_is_refused_by_a_full_limit_in_flight() {
    Stage stage = stage(tree(caller(InFlightContract.atOnce(1))));
    Decision free = stage.send(REQUEST.withCost(0));
    assertThat(free.allowed()).isTrue();
    assertThat(free.holding()).isFalse();
    assertThat(stage.send(REQUEST).allowed()).isTrue();
    assertThat(stage.send(REQUEST.withCost(0)).allowed()).isFalse();
  }

  @Test
  default void an_apis_cost_is_charged_in_every_layer_and_a_requests_own_stands_in_its_place() {
    ApiRule costly =
        new ApiRule(
            Quota.of(fixedWindow("50/h")),
            null,
            null,
            5,
            ApiRule.Rank.USUAL,
            ApiRule.Effect.BY_METHOD);
    Stage stage =
        stage(tree(node(fixedWindow("40/h")), caller(fixedWindow("30/h")), apiRule("/x", costly)));
    Decision byApi = stage.send(REQUEST);
    assertThat(byApi.costPermits()).isEqualTo(5);
    assertThat(Stage.told(byApi).usedPermits()).isEqualTo(5);
    assertThat(stage.allowed(REQUEST.withCost(25), 2)).isEqualTo(1);
    assertThat(stage.send(REQUEST).refusing()).hasSize(1);
  }

  @Test
  default void B12_no_limit_of_zero_can_be_made() {
    assertThatThrownBy(() -> Rate.of(0, 60_000_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("blocked");
    assertThatThrownBy(() -> tokenBucket("5/min", 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> InFlightContract.atOnce(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
