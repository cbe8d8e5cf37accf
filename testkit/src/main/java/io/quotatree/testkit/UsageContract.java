package io.quotatree.testkit;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.apiRule;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.node;
import static io.quotatree.testkit.Trees.tree;
import static io.quotatree.testkit.Trees.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiLines.Group;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.UserLines;
import io.quotatree.core.policy.UserLines.Anonymous;
import io.quotatree.core.policy.UserLines.By;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators look at subjects and empty them, by the names that answers and logs give. */
interface UsageContract extends LedgerUnderTest {

  private static List<Long> remaining(List<LimitState> usage) {
    return usage.stream().map(LimitState::remainingPermits).toList();
  }

  @Test
  default void a_look_tells_what_is_left_of_all_limits_and_takes_nothing() {
    Stage stage = stage(tree(caller(fixedWindow("10/h"), tokenBucket("5/min"))));
    stage.allowed(REQUEST, 2);
    for (int i = 0; i < 20; i++) {
      assertThat(remaining(stage.limiter().peek(Layer.CALLER, "app"))).containsExactly(8L, 3L);
    }
  }

  @Test
  default void a_look_at_one_who_never_came_shows_full_limits() {
    Stage stage = stage(tree(caller(slidingWindow("10/h"), slidingLog("5/min"))));
    List<LimitState> usage = stage.limiter().peek(Layer.CALLER, "nobody-yet");
    assertThat(remaining(usage)).containsExactly(10L, 5L);
    assertThat(usage).allMatch(state -> state.subject().equals("nobody-yet"));
    assertThat(usage).allMatch(state -> state.reset().micros() == 0);
  }

  @Test
  default void a_blocked_quota_is_a_limit_of_nothing_and_an_unlimited_one_none() {
    Stage stage =
        stage(tree(caller(Quota.of(Allowance.BLOCKED)), user(Quota.of(Allowance.UNLIMITED))));
    assertThat(stage.limiter().peek(Layer.CALLER, "app"))
        .singleElement()
        .satisfies(state -> assertThat(state.text()).isEqualTo("blocked"));
    assertThat(stage.limiter().peek(Layer.USER, "app/u1")).isEmpty();
  }

  @Test
  default void a_users_limits_are_those_of_his_plan_where_he_used_it() {
    UserLines users =
        new UserLines(
            Quota.of(tokenBucket("10/min")),
            null,
            Map.of("vip", Quota.of(tokenBucket("100/min"))),
            Anonymous.NONE);
    Stage stage = stage(QuotaTree.empty().withUser(users));
    stage.send(REQUEST.withPlan("vip"));
    assertThat(remaining(stage.limiter().peek(Layer.USER, "app/u1"))).containsExactly(99L);
    assertThat(remaining(stage.limiter().peek(Layer.USER, "app/u2"))).containsExactly(10L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"acme", "acme*", "a%me", "é/ü", "acme!x"})
  default void B79_a_reset_empties_every_limit_of_the_one_named_and_of_nobody_else(String name) {
    Stage stage =
        stage(tree(caller(slidingWindow("5/min"), fixedWindow("50/day"), tokenBucket("40/h"))));
    Request named = Request.of(name, "u", "GET", "/x");
    List<Request> others =
        List.of(
            Request.of("acme2", "u", "GET", "/x"),
            Request.of("acm", "u", "GET", "/x"),
            Request.of("acme%2A", "u", "GET", "/x"),
            Request.of("*", "u", "GET", "/x"));
    others.forEach(other -> stage.allowed(other, 5));
    while (stage.send(named).allowed()) {
      stage.advanceMillis(12_100);
    }
    String subject = Stage.told(stage.send(named)).subject();
    assertThat(stage.limiter().reset(Layer.CALLER, subject)).isEqualTo(3);
    assertThat(stage.limiter().reset(Layer.CALLER, subject)).isZero();
    assertThat(remaining(stage.limiter().peek(Layer.CALLER, subject)))
        .containsExactly(5L, 50L, 40L);
    assertThat(stage.allowed(named, 9)).isEqualTo(5);
    others.forEach(
        other ->
            assertThat(stage.told(other.withCost(0)).usedPermits())
                .as(other.caller())
                .isPositive());
  }

  @Test
  default void B79_a_name_that_looks_like_a_pattern_is_a_name() {
    Stage stage = stage(tree(caller(fixedWindow("5/h"))));
    stage.allowed(Request.of("acme", "u", "GET", "/x"), 5);
    assertThat(stage.limiter().reset(Layer.CALLER, "acme*")).isZero();
    assertThat(stage.limiter().reset(Layer.CALLER, "*")).isZero();
    assertThat(stage.allowed(Request.of("acme", "u", "GET", "/x"), 1)).isZero();
  }

  @Test
  default void B79_requests_in_flight_are_not_reset() {
    Stage stage = stage(tree(caller(Quota.of(fixedWindow("5/h")).withConcurrency(2))));
    stage.allowed(REQUEST, 2);
    assertThat(stage.limiter().reset(Layer.CALLER, "app")).isEqualTo(1);
    assertThat(stage.send(REQUEST).layer()).contains(Layer.CALLER);
    assertThat(remaining(stage.limiter().peek(Layer.CALLER, "app"))).containsExactly(5L, 0L);
  }

  @Test
  default void a_user_is_reset_whatever_plan_he_came_with_and_whoever_vouched_for_him() {
    UserLines users =
        new UserLines(
            Quota.of(fixedWindow("1/h")),
            Quota.of(fixedWindow("1/h")),
            Map.of("vip", Quota.of(slidingLog("1/h"))),
            Anonymous.NONE);
    Stage stage = stage(QuotaTree.empty().withUser(users));
    List<Request> all = List.of(REQUEST, REQUEST.withPlan("vip"), REQUEST.unproven());
    all.forEach(request -> assertThat(stage.allowed(request, 2)).isEqualTo(1));
    assertThat(stage.limiter().reset(Layer.USER, "app/u1")).isEqualTo(3);
    all.forEach(request -> assertThat(stage.allowed(request, 2)).isEqualTo(1));
  }

  @Test
  default void anonymous_users_are_found_by_what_stands_for_them() {
    for (By by : List.of(By.POOL, By.IP, By.NETWORK)) {
      UserLines users =
          new UserLines(
              null, null, Map.of(), new Anonymous(Set.of(""), Quota.of(fixedWindow("3/h")), by));
      for (String address : List.of("192.0.2.1", "2001:db8:1:2::9", "")) {
        Stage stage = stage(QuotaTree.empty().withUser(users));
        Request nobody = Request.of("app", "", "GET", "/x").withAddress(address);
        String subject = stage.told(nobody).subject();
        assertThat(remaining(stage.limiter().peek(Layer.USER, subject)))
            .as(subject)
            .containsExactly(2L);
        assertThat(stage.limiter().reset(Layer.USER, subject)).as(subject).isEqualTo(1);
        assertThat(stage.allowed(nobody, 9)).as(subject).isEqualTo(3);
      }
    }
  }

  @Test
  default void apis_groups_and_their_shares_are_found_by_name() {
    ApiRule rule =
        new ApiRule(
            Quota.of(fixedWindow("10/h")),
            Quota.of(fixedWindow("9/h")),
            new ApiRule.PerUser(Quota.of(fixedWindow("8/h")), Map.of(), ApiRule.Placement.BESIDES),
            1,
            ApiRule.Rank.USUAL,
            ApiRule.Effect.BY_METHOD);
    QuotaTree tree = tree(node(fixedWindow("20/h")), apiRule("GET /x", rule));
    Stage stage =
        stage(
            tree.withApi(
                new ApiLines(
                    ApiRule.of(Quota.of(fixedWindow("7/h"))),
                    tree.api().lines(),
                    List.of(new Group("g", List.of("/**"), Quota.of(fixedWindow("6/h")))))));
    stage.send(REQUEST);
    stage.send(Request.of("app", "u1", "GET", "/other"));
    Map<String, Long> left =
        Map.of("GET /x", 9L, "GET /x|app", 8L, "GET /x|app/u1", 7L, "/**|app", 6L, "group:g", 4L);
    left.forEach(
        (subject, remaining) -> {
          assertThat(remaining(stage.limiter().peek(Layer.API, subject)))
              .as(subject)
              .containsExactly(remaining);
          assertThat(stage.limiter().reset(Layer.API, subject)).as(subject).isEqualTo(1);
        });
    assertThat(remaining(stage.limiter().peek(Layer.NODE, "node"))).containsExactly(18L);
    assertThat(stage.limiter().peek(Layer.API, "GET /unknown")).isEmpty();
  }

  @Test
  default void what_no_subject_of_a_layer_is_written_like_is_told() {
    Stage stage = stage(tree(caller(fixedWindow("1/h"))));
    assertThatThrownBy(() -> stage.limiter().peek(Layer.NODE, "nodes"))
        .hasMessage(
            "`nodes` is no subject of the node layer; write `node`, or `node@` and this gateway's"
                + " name");
    assertThatThrownBy(() -> stage.limiter().reset(Layer.USER, "u1"))
        .hasMessage("`u1` is no subject of the user layer; write CALLER/USER, such as `app-a/u1`");
    assertThatThrownBy(() -> stage.limiter().reset(Layer.CALLER, "a/b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> stage.limiter().reset(Layer.CALLER, "app!overflow"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> stage.limiter().reset(Layer.USER, "app/sid:0123456789abcdef"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
