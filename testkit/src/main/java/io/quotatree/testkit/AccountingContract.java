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
import io.quotatree.core.limit.Accounting;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who pays for a refused request: nobody, or those who said loose. */
interface AccountingContract extends LedgerUnderTest {

  /** An api that every test's refusals come from. */
  Request SCARCE = Request.of("app", "u1", "GET", "/scarce");

  /** A quota of ten in an hour that pays for refusals. */
  static Quota loose(RateLimit limit) {
    return Quota.of(limit).withAccounting(Accounting.LOOSE);
  }

  /** A quota that only tells. */
  static Quota shadow(RateLimit limit) {
    return Quota.of(limit).withEnforcement(Enforcement.SHADOW);
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.CostContract#eachAlgorithm")
  default void a_refused_request_changes_no_later_decision(RateLimit limit) {
    QuotaTree tree =
        tree(caller(limit), user(slidingLog("4/min")), api("/scarce", leakyBucket("2/min")));
    assertThat(play(stage(tree), true)).isEqualTo(play(stage(tree), false));
  }

  /** What the same requests get, with refused ones in between or without. */
  private static List<String> play(Stage stage, boolean refusedInBetween) {
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      if (refusedInBetween) {
        // Refused for ever by the user's log; the first of all would be granted by the others.
        assertThat(stage.allowed(REQUEST.withCost(5), 3)).isZero();
        assertThat(stage.allowed(SCARCE.withCost(1_000_000), 3)).isZero();
      }
      Decision decision = stage.send(i % 3 == 0 ? SCARCE : REQUEST);
      answers.add(decision.outcome() + " " + decision.told() + " " + decision.retryAfter());
      stage.advanceMicros(3_700_001);
    }
    return answers;
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.CostContract#eachAlgorithm")
  default void a_loose_quota_pays_for_what_a_later_layer_refuses(RateLimit limit) {
    Stage stage = stage(tree(caller(loose(limit)), api("/scarce", fixedWindow("1/h"))));
    assertThat(stage.allowed(SCARCE, 3)).isEqualTo(1);
    assertThat(stage.told(REQUEST).usedPermits()).isEqualTo(4);
  }

  @Test
  default void a_loose_quota_is_full_in_the_end_and_then_refuses_itself() {
    Stage stage =
        stage(tree(caller(loose(fixedWindow("5/h"))), api("/scarce", fixedWindow("1/h"))));
    stage.allowed(SCARCE, 5);
    assertThat(stage.send(SCARCE).layer()).contains(Layer.CALLER);
    assertThat(stage.send(REQUEST).layer()).contains(Layer.CALLER);
  }

  @Test
  default void each_quota_says_for_itself_whether_it_is_loose() {
    Stage stage =
        stage(
            tree(
                node(fixedWindow("10/h")),
                caller(loose(fixedWindow("20/h"))),
                user(loose(fixedWindow("30/h"))),
                api("/scarce", loose(fixedWindow("1/h")))));
    stage.allowed(SCARCE, 4);
    // One was granted; three were paid for by the caller and the user, but not by the node.
    stage.reload(tree(node(fixedWindow("10/h"))));
    assertThat(stage.remaining(REQUEST)).isEqualTo(9);
    stage.reload(tree(caller(fixedWindow("20/h"))));
    assertThat(stage.remaining(REQUEST)).isEqualTo(16);
    stage.reload(tree(user(fixedWindow("30/h"))));
    assertThat(stage.remaining(REQUEST)).isEqualTo(26);
  }

  @Test
  default void a_layer_after_the_one_that_refuses_pays_nothing_though_it_is_loose() {
    Stage stage = stage(tree(caller(fixedWindow("1/h")), user(loose(fixedWindow("10/h")))));
    stage.allowed(REQUEST, 5);
    stage.reload(tree(user(fixedWindow("10/h"))));
    assertThat(stage.remaining(REQUEST)).isEqualTo(9);
  }

  @Test
  default void a_refused_request_holds_nothing_in_a_loose_quota() {
    Quota both = Quota.of(fixedWindow("10/h")).withConcurrency(1).withAccounting(Accounting.LOOSE);
    Stage stage = stage(tree(caller(both), api("/scarce", fixedWindow("1/h"))));
    stage.release(stage.send(SCARCE));
    assertThat(stage.allowed(SCARCE, 3)).isZero();
    assertThat(stage.send(REQUEST).allowed()).isTrue();
  }

  @Test
  default void a_shadow_quota_counts_and_tells_and_never_refuses() {
    Stage stage = stage(tree(node(shadow(fixedWindow("2/h"))), caller(fixedWindow("5/h"))));
    List<Boolean> wouldRefuse = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Decision decision = stage.send(REQUEST);
      assertThat(decision.allowed()).isTrue();
      assertThat(Stage.told(decision).layer()).isEqualTo(Layer.CALLER);
      wouldRefuse.add(decision.wouldRefuse());
    }
    assertThat(wouldRefuse).containsExactly(false, false, true, true, true);
    Decision refused = stage.send(REQUEST);
    assertThat(refused.layer()).contains(Layer.CALLER);
    assertThat(refused.refusing()).hasSize(1);
    assertThat(refused.wouldRefuse()).isFalse();
  }

  @Test
  default void a_shadow_quota_is_not_charged_for_what_others_refuse() {
    Stage stage = stage(tree(node(shadow(fixedWindow("9/h"))), caller(fixedWindow("2/h"))));
    stage.allowed(REQUEST, 5);
    stage.reload(tree(node(fixedWindow("9/h"))));
    assertThat(stage.remaining(REQUEST)).isEqualTo(7);
  }

  @Test
  default void a_shadow_quota_in_loose_accounting_is_charged_for_what_a_later_layer_refuses() {
    Quota both = shadow(fixedWindow("4/h")).withAccounting(Accounting.LOOSE);
    Stage stage = stage(tree(node(both), caller(fixedWindow("2/h"))));
    stage.allowed(REQUEST, 9);
    stage.reload(tree(node(fixedWindow("9/h"))));
    // Charged while it granted: four, and not for those that it would have refused.
    assertThat(stage.remaining(REQUEST)).isEqualTo(5);
  }

  @Test
  default void all_algorithms_of_one_request_are_charged_or_none_is() {
    QuotaTree rich =
        tree(
            node(slidingWindow("100/h")),
            caller(tokenBucket("100/h"), slidingLog("100/h"), fixedWindow("100/h")),
            user(leakyBucket("100/h", 100)),
            api("/x", fixedWindow("3/h")));
    Stage stage = stage(rich);
    assertThat(stage.allowed(REQUEST, 10)).isEqualTo(3);
    Decision other = stage.send(Request.of("app", "u1", "GET", "/y"));
    assertThat(Stage.told(other).usedPermits()).isEqualTo(4);
    assertThat(Stage.told(other).layer()).isEqualTo(Layer.NODE);
    for (RateLimit limit :
        List.of(tokenBucket("100/h"), slidingLog("100/h"), fixedWindow("100/h"))) {
      stage.reload(tree(caller(limit)));
      assertThat(stage.remaining(REQUEST)).as(limit.algorithm().word()).isEqualTo(96);
    }
    stage.reload(tree(user(leakyBucket("100/h", 100))));
    assertThat(stage.remaining(REQUEST)).isEqualTo(96);
  }
}
