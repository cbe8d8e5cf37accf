package io.quotatree.testkit;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.leakyBucket;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.UserLines;
import io.quotatree.core.policy.UserLines.Anonymous;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One user who comes now by one plan, now by another: one counter under two lines of one file. */
interface PlansContract extends LedgerUnderTest {

  /** A user of the large plan. */
  Request GOLD = REQUEST.withPlan("gold");

  /** The same user, by the small plan. */
  Request SILVER = REQUEST.withPlan("silver");

  private static QuotaTree plans(RateLimit gold, RateLimit silver) {
    Map<String, Quota> plans = Map.of("gold", Quota.of(gold), "silver", Quota.of(silver));
    return tree(t -> t.withUser(new UserLines(null, null, plans, Anonymous.NONE)));
  }

  /** The large plan and the small one, by each algorithm. */
  static Stream<QuotaTree> eachAlgorithm() {
    return Stream.of(
        plans(tokenBucket("100/min"), tokenBucket("10/min")),
        plans(leakyBucket("100/min", 100), leakyBucket("10/min", 10)),
        plans(fixedWindow("100/min"), fixedWindow("10/min")),
        plans(slidingWindow("100/min"), slidingWindow("10/min")),
        plans(slidingLog("100/min"), slidingLog("10/min")));
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.PlansContract#eachAlgorithm")
  default void who_changes_plans_back_and_forth_gets_no_more_than_the_larger(QuotaTree tree) {
    Stage stage = stage(tree);
    int allowed = 0;
    for (int i = 0; i < 300; i++) {
      allowed += stage.allowed(i % 3 == 2 ? SILVER : GOLD, 1);
    }
    assertThat(allowed).isEqualTo(100);
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.PlansContract#eachAlgorithm")
  default void the_wait_told_to_a_plan_is_true_whoever_used_the_permits(QuotaTree tree) {
    Stage stage = stage(tree);
    stage.allowed(GOLD, 60);
    Decision refused = stage.send(SILVER);
    assertThat(refused.allowed()).isFalse();
    stage.advanceMicros(refused.retryAfter().micros() - 1);
    assertThat(stage.send(SILVER).allowed()).isFalse();
    stage.advanceMicros(1);
    assertThat(stage.send(SILVER).allowed()).isTrue();
  }

  @Test
  default void a_refused_request_by_the_small_plan_takes_nothing_from_the_large() {
    Stage stage = stage(plans(tokenBucket("100/min"), tokenBucket("10/min")));
    stage.allowed(GOLD, 60);
    assertThat(stage.allowed(SILVER, 50)).isZero();
    assertThat(stage.remaining(SILVER)).isZero();
    assertThat(stage.remaining(GOLD)).isEqualTo(40);
    stage.advanceMillis(6_000);
    assertThat(stage.remaining(GOLD)).isEqualTo(50);
  }

  @Test
  default void a_small_plan_that_is_granted_goes_on_at_its_own_rate() {
    Stage stage = stage(plans(tokenBucket("100/min"), tokenBucket("10/min")));
    stage.allowed(GOLD, 4);
    assertThat(stage.allowed(SILVER, 10)).isEqualTo(6);
    assertThat(Stage.told(stage.send(SILVER)).reset().micros()).isEqualTo(60_000_000);
    assertThat(stage.remaining(GOLD)).isEqualTo(90);
    stage.advanceMillis(6_000);
    assertThat(stage.remaining(GOLD)).isEqualTo(91);
  }

  @Test
  default void a_reload_still_lowers_a_bucket_that_more_was_used_of() {
    QuotaTree tree = plans(tokenBucket("100/min"), tokenBucket("10/min"));
    Stage stage = stage(tree);
    stage.allowed(GOLD, 60);
    stage.reload(tree.withMaxSubjects(1_000));
    // The small line is as it was, but a reload lies between.
    assertThat(stage.send(SILVER).retryAfter().micros()).isEqualTo(6_000_000);
  }
}
