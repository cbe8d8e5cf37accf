package io.quotatree.testkit;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.api;
import static io.quotatree.testkit.Trees.apiRule;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.callerLine;
import static io.quotatree.testkit.Trees.node;
import static io.quotatree.testkit.Trees.tree;
import static io.quotatree.testkit.Trees.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Wait;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How layers stand together: each must grant, the first that refuses names itself. */
interface LayersContract extends LedgerUnderTest {

  @Test
  default void every_layer_must_grant() {
    Stage stage =
        stage(
            tree(
                node(slidingWindow("9/h")),
                caller(tokenBucket("7/h")),
                user(slidingLog("5/h")),
                api("/x", fixedWindow("3/h"))));
    assertThat(stage.allowed(REQUEST, 9)).isEqualTo(3);
    assertThat(stage.allowed(Request.of("app", "u1", "GET", "/y"), 9)).isEqualTo(2);
    assertThat(stage.allowed(Request.of("app", "u2", "GET", "/y"), 9)).isEqualTo(2);
    assertThat(stage.allowed(Request.of("other", "u2", "GET", "/y"), 9)).isEqualTo(2);
  }

  @Test
  default void the_first_layer_in_order_that_refuses_names_itself() {
    QuotaTree tree =
        tree(
            node(fixedWindow("1/h")),
            caller(fixedWindow("1/h")),
            user(fixedWindow("1/h")),
            api("/x", fixedWindow("1/h")));
    Stage stage = stage(tree);
    stage.send(REQUEST);
    Decision refused = stage.send(REQUEST);
    assertThat(refused.layer()).contains(Layer.NODE);
    assertThat(refused.refusing().stream().map(LimitState::layer))
        .containsExactly(Layer.NODE, Layer.CALLER, Layer.USER, Layer.API);
    stage.reload(tree.withOrder(List.of(Layer.API, Layer.USER, Layer.CALLER, Layer.NODE)));
    assertThat(stage.send(REQUEST).layer()).contains(Layer.API);
  }

  @Test
  default void an_api_with_priority_is_asked_just_before_users() {
    ApiRule pay =
        new ApiRule(
            Quota.of(fixedWindow("1/h")),
            null,
            null,
            1,
            ApiRule.Rank.PRIORITY,
            ApiRule.Effect.BY_METHOD);
    Stage stage = stage(tree(user(fixedWindow("1/h")), apiRule("/x", pay)));
    stage.send(REQUEST);
    assertThat(stage.send(REQUEST).layer()).contains(Layer.API);
  }

  @Test
  default void retry_after_is_the_longest_wait_of_all_that_would_refuse() {
    Stage stage = stage(tree(caller(fixedWindow("2/s")), user(fixedWindow("2/min"))));
    stage.advanceMillis(100);
    stage.allowed(REQUEST, 2);
    Decision refused = stage.send(REQUEST);
    assertThat(refused.layer()).contains(Layer.CALLER);
    assertThat(Stage.told(refused).retryAfter().millis()).isEqualTo(900);
    assertThat(refused.retryAfter().millis()).isEqualTo(59_900);
    stage.advanceMicros(refused.retryAfter().micros());
    assertThat(stage.send(REQUEST).allowed()).isTrue();
  }

  @Test
  default void B61_a_refusal_of_one_api_leaves_the_callers_quota_as_it_was() {
    Stage stage = stage(tree(caller(fixedWindow("10/min")), api("/special", fixedWindow("3/min"))));
    assertThat(stage.allowed(Request.of("app", "u", "GET", "/special"), 5)).isEqualTo(3);
    assertThat(stage.allowed(REQUEST, 20)).isEqualTo(7);
  }

  @Test
  default void B61_a_refusal_in_flight_leaves_all_other_quotas_as_they_were() {
    for (Quota quota :
        List.of(
            Quota.of(fixedWindow("10/min")),
            Quota.of(tokenBucket("10/min")),
            Quota.of(slidingWindow("10/min")),
            Quota.of(slidingLog("10/min")))) {
      Stage stage = stage(tree(caller(quota), api("/job", InFlightContract.atOnce(1))));
      Request job = Request.of("app", "u", "POST", "/job");
      assertThat(stage.allowed(job, 6)).isEqualTo(1);
      assertThat(stage.remaining(REQUEST)).isEqualTo(9);
    }
  }

  @Test
  default void B62_two_limits_of_one_quota_count_apart() {
    Stage stage = stage(tree(caller(fixedWindow("5/min"), fixedWindow("50/day"))));
    assertThat(stage.allowed(REQUEST, 4)).isEqualTo(4);
    assertThat(stage.told(REQUEST).limitPermits()).isEqualTo(5);
    Decision sixth = stage.send(REQUEST);
    assertThat(Stage.told(sixth).limitPermits()).isEqualTo(5);
    assertThat(sixth.refusing()).hasSize(1);
    int allowed = 5;
    for (int minute = 1; minute <= 12; minute++) {
      stage.advanceMillis(60_000);
      allowed += stage.allowed(REQUEST, 5);
    }
    assertThat(allowed).isEqualTo(50);
    assertThat(Stage.told(stage.send(REQUEST)).limitPermits()).isEqualTo(50);
  }

  @Test
  default void B62_two_algorithms_of_one_period_count_apart() {
    Stage stage = stage(tree(caller(fixedWindow("200/min"), slidingLog("2/min"))));
    assertThat(stage.allowed(REQUEST, 5)).isEqualTo(2);
    stage.reload(tree(caller(fixedWindow("200/min"))));
    assertThat(stage.remaining(REQUEST)).isEqualTo(198);
  }

  @Test
  default void B63_a_callers_quota_is_one_over_all_its_paths() {
    Stage stage = stage(tree(caller(fixedWindow("10/s"))));
    int allowed = 0;
    for (String path : List.of("/a", "/b", "/c")) {
      allowed += stage.allowed(Request.of("app", "u", "GET", path), 10);
    }
    assertThat(allowed).isEqualTo(10);
  }

  @Test
  default void B63_two_quotas_that_read_the_same_count_apart() {
    Stage stage =
        stage(tree(api("GET /a", fixedWindow("5/min")), api("GET /b", fixedWindow("5/min"))));
    assertThat(stage.allowed(Request.of("app", "u", "GET", "/a"), 9)).isEqualTo(5);
    assertThat(stage.allowed(Request.of("app", "u", "GET", "/b"), 9)).isEqualTo(5);
    Stage layers = stage(tree(node(fixedWindow("7/min")), caller(fixedWindow("7/min"))));
    assertThat(layers.allowed(REQUEST, 9)).isEqualTo(7);
  }

  @Test
  default void one_api_counts_however_many_paths_fit_it() {
    Stage stage = stage(tree(api("/users/{id}/lock", fixedWindow("3/min"))));
    int allowed = 0;
    for (int id = 1; id <= 10; id++) {
      allowed += stage.allowed(Request.of("app", "u", "POST", "/users/" + id + "/lock"), 1);
    }
    assertThat(allowed).isEqualTo(3);
  }

  @Test
  default void a_blocked_quota_refuses_at_once_for_ever_and_nothing_is_charged() {
    Stage stage =
        stage(
            tree(
                node(fixedWindow("5/h")),
                caller(fixedWindow("5/h")),
                callerLine("bad", Quota.of(Allowance.BLOCKED))));
    Decision refused = stage.send(Request.of("bad", "u", "GET", "/x").withCost(0));
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.layer()).contains(Layer.CALLER);
    assertThat(refused.retryAfter()).isEqualTo(Wait.NEVER);
    assertThat(Stage.told(refused).limitPermits()).isZero();
    assertThat(Stage.told(refused).algorithm()).isEqualTo("blocked");
    stage.allowed(Request.of("bad", "u", "GET", "/x"), 10);
    assertThat(stage.remaining(REQUEST)).isEqualTo(5);
  }

  @Test
  default void unlimited_is_no_limit_and_tells_nothing() {
    Stage stage =
        stage(tree(caller(fixedWindow("1/h")), callerLine("free", Quota.of(Allowance.UNLIMITED))));
    Request free = Request.of("free", "u", "GET", "/x");
    assertThat(stage.allowed(free, 100)).isEqualTo(100);
    assertThat(stage.send(free).told()).isEqualTo(Optional.empty());
    assertThat(stage.allowed(REQUEST, 5)).isEqualTo(1);
  }

  @Test
  default void a_rule_for_unmatched_paths_is_as_tight_as_its_per_caller() {
    ApiRule rule =
        new ApiRule(
            Quota.of(fixedWindow("600/min")),
            Quota.of(fixedWindow("100/min")),
            null,
            1,
            ApiRule.Rank.USUAL,
            ApiRule.Effect.BY_METHOD);
    Stage stage = stage(tree(t -> t.withApi(new ApiLines(rule, List.of(), List.of()))));
    assertThat(stage.allowed(REQUEST, 700)).isEqualTo(100);
  }
}
