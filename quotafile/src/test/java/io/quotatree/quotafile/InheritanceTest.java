package io.quotatree.quotafile;

import static io.quotatree.quotafile.Trees.api;
import static io.quotatree.quotafile.Trees.caller;
import static io.quotatree.quotafile.Trees.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.ApiRule.Effect;
import io.quotatree.core.policy.ApiRule.PerUser;
import io.quotatree.core.policy.ApiRule.Placement;
import io.quotatree.core.policy.ApiRule.Rank;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.QuotaTree;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class InheritanceTest {

  @Test
  void each_layer_has_its_usual_algorithm() {
    QuotaTree tree =
        Trees.of(
            """
            node: { limit: 1000/min, instance: 100/s, instances: { gw-1: 200/s } }
            caller:
              default: 100/min
              overrides: { a: { user: 1/s, users: { u: 2/s }, plans: { gold: 3/s }, api: { /x: 4/s } } }
            user: { default: 50/min, writes: 5/s, plans: { vip: 60/min }, anonymous: 7/s }
            api:
              default: 80/min
              unmatched: 40/min
              groups: { g: { match: [/x], limit: 90/min } }
              overrides: { /x: { limit: 70/min, per_user: 5/min, per_caller: 6/min } }
            """);
    assertThat(words(tree.node().fleet())).isEqualTo("sliding_window 1000/min");
    assertThat(words(tree.node().instance())).isEqualTo("token_bucket 100/s");
    assertThat(words(tree.node().instances().get(0).quota())).isEqualTo("token_bucket 200/s");
    assertThat(words(tree.caller().byDefault())).isEqualTo("token_bucket 100/min");
    CallerOverride a = caller(tree, "a");
    assertThat(words(a.user())).isEqualTo("token_bucket 1/s");
    assertThat(words(a.users().get(0).quota())).isEqualTo("token_bucket 2/s");
    assertThat(words(a.plans().get("gold"))).isEqualTo("token_bucket 3/s");
    assertThat(words(a.apis().get(0).quota())).isEqualTo("fixed_window 4/s");
    assertThat(words(tree.user().byDefault())).isEqualTo("token_bucket 50/min");
    assertThat(words(tree.user().writes())).isEqualTo("token_bucket 5/s");
    assertThat(words(tree.user().plans().get("vip"))).isEqualTo("token_bucket 60/min");
    assertThat(words(tree.user().anonymous().quota())).isEqualTo("token_bucket 7/s");
    assertThat(words(tree.api().unmatched().quota())).isEqualTo("fixed_window 40/min");
    assertThat(words(tree.api().groups().get(0).quota())).isEqualTo("fixed_window 90/min");
    ApiRule x = api(tree, "/x");
    assertThat(words(x.quota())).isEqualTo("fixed_window 70/min");
    assertThat(words(x.perCaller())).isEqualTo("fixed_window 6/min");
    assertThat(words(perUser(x).quota())).isEqualTo("fixed_window 5/min");
  }

  @Test
  void the_defaults_of_the_file_hold_where_a_quota_does_not_say() {
    QuotaTree tree =
        Trees.of(
            """
            defaults: { algorithm: sliding_log, accounting: loose, shadow: true }
            node: 10/s
            caller: { default: { limit: 5/s, algorithm: leaky_bucket, accounting: strict, shadow: false } }
            api: { names: [/a], default: 1/s }
            """);
    assertThat(words(tree.node().fleet())).isEqualTo("sliding_log 10/s, loose, shadow");
    assertThat(words(tree.caller().byDefault())).isEqualTo("leaky_bucket 5/s");
    assertThat(words(api(tree, "/a").quota())).isEqualTo("sliding_log 1/s, loose, shadow");
  }

  @Test
  void an_override_takes_over_key_by_key_what_it_does_not_say() {
    QuotaTree tree =
        Trees.of(
            """
            caller:
              default: { limit: 100/s, algorithm: fixed_window, stagger: false, concurrency: 7, accounting: loose }
              overrides:
                rate: 200/s
                algorithm: { algorithm: sliding_window }
                flight: { concurrency: 9 }
                strict: { accounting: strict, stagger: true }
                nothing: {}
            """);
    assertThat(words(caller(tree, "rate").quota()))
        .isEqualTo("fixed_window 200/s not staggered, 7 in flight, loose");
    assertThat(words(caller(tree, "algorithm").quota()))
        .isEqualTo("sliding_window 100/s, 7 in flight, loose");
    assertThat(words(caller(tree, "flight").quota()))
        .isEqualTo("fixed_window 100/s not staggered, 9 in flight, loose");
    assertThat(words(caller(tree, "strict").quota())).isEqualTo("fixed_window 100/s, 7 in flight");
    assertThat(words(caller(tree, "nothing").quota()))
        .isEqualTo("fixed_window 100/s not staggered, 7 in flight, loose");
  }

  @Test
  void shadow_is_never_taken_over() {
    QuotaTree tree =
        Trees.of(
            "caller: { default: { limit: 100/s, shadow: true }, overrides: { a: { concurrency: 5 } } }");
    assertThat(words(tree.caller().byDefault())).isEqualTo("token_bucket 100/s, shadow");
    assertThat(words(caller(tree, "a").quota())).isEqualTo("token_bucket 100/s, 5 in flight");
  }

  @Test
  void burst_and_slices_are_not_taken_over_by_a_line_with_a_limit_of_its_own() {
    QuotaTree tree =
        Trees.of(
            """
            caller:
              default: { limit: 100/s, burst: 20 }
              overrides: { limit: 50/s, none: { concurrency: 5 }, other: { algorithm: fixed_window } }
            user:
              default: { limit: 100/s, algorithm: sliding_window, slices: 10 }
              plans: { limit: 50/s, none: { accounting: loose } }
            """);
    assertThat(words(caller(tree, "limit").quota())).isEqualTo("token_bucket 50/s");
    assertThat(words(caller(tree, "none").quota()))
        .isEqualTo("token_bucket 100/s burst 20, 5 in flight");
    assertThat(words(caller(tree, "other").quota())).isEqualTo("fixed_window 100/s");
    assertThat(words(tree.user().plans().get("limit"))).isEqualTo("sliding_window 50/s");
    assertThat(words(tree.user().plans().get("none")))
        .isEqualTo("sliding_window 100/s 10 slices, loose");
  }

  @Test
  void what_holds_while_the_store_fails_is_taken_over_where_a_line_does_not_say() {
    QuotaTree tree =
        Trees.of(
            """
            caller:
              default: { limit: 100/s, on_failure: closed }
              overrides:
                rate: 200/s
                open: { on_failure: open }
            user: { default: 10/s }
            """);
    assertThat(words(caller(tree, "rate").quota()))
        .isEqualTo("token_bucket 200/s, on_failure closed");
    assertThat(words(caller(tree, "open").quota()))
        .isEqualTo("token_bucket 100/s, on_failure open");
    assertThat(words(tree.user().byDefault())).isEqualTo("token_bucket 10/s");
  }

  @Test
  void unlimited_and_blocked_take_nothing_over() {
    QuotaTree tree =
        Trees.of(
            """
            caller:
              default: { limit: 100/s, concurrency: 7, accounting: loose }
              overrides: { free: unlimited, shut: blocked, wide: { limit: unlimited, concurrency: 50 } }
            api:
              default: { limit: 10/s, cost: 3, priority: true, write: true, per_user: 5/s, per_caller: 6/s }
              overrides: { /free: unlimited }
            """);
    assertThat(words(caller(tree, "free").quota())).isEqualTo("unlimited");
    assertThat(words(caller(tree, "shut").quota())).isEqualTo("blocked");
    assertThat(words(caller(tree, "wide").quota())).isEqualTo("unlimited, 50 in flight");
    assertThat(api(tree, "/free")).isEqualTo(ApiRule.of(api(tree, "/free").quota()));
    assertThat(words(api(tree, "/free").quota())).isEqualTo("unlimited");
  }

  @Test
  void a_line_may_take_over_that_nothing_limits_its_default() {
    QuotaTree tree =
        Trees.of("caller: { default: unlimited, overrides: { a: { concurrency: 5 } } }");
    assertThat(words(caller(tree, "a").quota())).isEqualTo("unlimited, 5 in flight");
  }

  @Test
  void gateways_take_over_from_instance_and_instance_takes_nothing_over() {
    QuotaTree tree =
        Trees.of(
            """
            node:
              limit: 1000/s
              accounting: loose
              instance: { limit: 100/s, concurrency: 30 }
              instances: { "big-*": 200/s }
            """);
    assertThat(words(tree.node().instance())).isEqualTo("token_bucket 100/s, 30 in flight");
    assertThat(words(tree.node().instances().get(0).quota()))
        .isEqualTo("token_bucket 200/s, 30 in flight");
  }

  @Test
  void users_of_a_caller_and_plans_take_over_from_the_default_of_users() {
    QuotaTree tree =
        Trees.of(
            """
            caller:
              default: 100/s
              overrides: { a: { user: 1/s, users: { "u-*": 2/s }, plans: { gold: 3/s } } }
            user:
              default: { limit: 10/s, algorithm: sliding_log, concurrency: 4 }
              plans: { vip: 20/s }
            """);
    CallerOverride a = caller(tree, "a");
    assertThat(words(a.quota())).isEqualTo("token_bucket 100/s");
    assertThat(words(a.user())).isEqualTo("sliding_log 1/s, 4 in flight");
    assertThat(words(a.users().get(0).quota())).isEqualTo("sliding_log 2/s, 4 in flight");
    assertThat(words(a.plans().get("gold"))).isEqualTo("sliding_log 3/s, 4 in flight");
    assertThat(words(tree.user().plans().get("vip"))).isEqualTo("sliding_log 20/s, 4 in flight");
  }

  @Test
  void
      writes_anonymous_groups_unmatched_per_user_per_caller_and_apis_of_a_caller_take_nothing_over() {
    QuotaTree tree =
        Trees.of(
            """
            caller:
              default: { limit: 100/s, concurrency: 7 }
              overrides: { a: { limit: 50/s, api: { /x: 5/s } } }
            user: { default: { limit: 10/s, concurrency: 4 }, writes: 2/s, anonymous: 3/s }
            api:
              default: { limit: 10/s, concurrency: 9, cost: 2 }
              unmatched: 5/s
              groups: { g: { match: [/x], limit: 30/s } }
              overrides: { /x: { per_user: 3/s, per_caller: 4/s } }
            """);
    assertThat(words(caller(tree, "a").apis().get(0).quota())).isEqualTo("fixed_window 5/s");
    assertThat(words(tree.user().writes())).isEqualTo("token_bucket 2/s");
    assertThat(words(tree.user().anonymous().quota())).isEqualTo("token_bucket 3/s");
    assertThat(tree.api().unmatched()).isEqualTo(ApiRule.of(tree.api().unmatched().quota()));
    assertThat(words(tree.api().unmatched().quota())).isEqualTo("fixed_window 5/s");
    assertThat(words(tree.api().groups().get(0).quota())).isEqualTo("fixed_window 30/s");
    assertThat(words(api(tree, "/x").perCaller())).isEqualTo("fixed_window 4/s");
    assertThat(words(perUser(api(tree, "/x")).quota())).isEqualTo("fixed_window 3/s");
  }

  @Test
  void unmatched_paths_have_the_default_of_apis_where_nothing_is_said() {
    QuotaTree tree =
        Trees.of("api: { default: { limit: 10/s, cost: 2, priority: true, per_user: 4/s } }");
    assertThat(words(tree.api().unmatched().quota())).isEqualTo("fixed_window 10/s");
    assertThat(tree.api().unmatched().costPermits()).isEqualTo(2);
    assertThat(tree.api().unmatched().rank()).isEqualTo(Rank.PRIORITY);
    assertThat(words(perUser(tree.api().unmatched()).quota())).isEqualTo("fixed_window 4/s");
  }

  @Test
  void an_api_takes_over_all_that_it_does_not_say() {
    QuotaTree tree =
        Trees.of(
            """
            api:
              default: { limit: 10/s, cost: 3, priority: true, write: true, per_user: { limit: 5/s, instead: true } }
              names: [GET /named]
              overrides:
                /more: 20/s
                /own: { cost: 1, priority: false, write: false, per_user: 6/s }
            """);
    ApiRule more = api(tree, "/more");
    assertThat(words(more.quota())).isEqualTo("fixed_window 20/s");
    assertThat(more.costPermits()).isEqualTo(3);
    assertThat(more.rank()).isEqualTo(Rank.PRIORITY);
    assertThat(more.effect()).isEqualTo(Effect.WRITES);
    assertThat(perUser(more).placement()).isEqualTo(Placement.INSTEAD);
    ApiRule own = api(tree, "/own");
    assertThat(words(own.quota())).isEqualTo("fixed_window 10/s");
    assertThat(own.costPermits()).isEqualTo(1);
    assertThat(own.rank()).isEqualTo(Rank.USUAL);
    assertThat(own.effect()).isEqualTo(Effect.READS);
    assertThat(words(perUser(own).quota())).isEqualTo("fixed_window 6/s");
    assertThat(perUser(own).placement()).isEqualTo(Placement.BESIDES);
    assertThat(api(tree, "GET /named").costPermits()).isEqualTo(3);
  }

  @Test
  void a_level_gives_a_limit_of_its_own_unless_a_limit_stands_beside_it() {
    QuotaTree tree =
        Trees.of(
            """
            api:
              levels: { S: [5/s, 100/min], A: 50/s }
              default: { limit: 600/s, algorithm: token_bucket, burst: 9, level: A }
              overrides:
                /level: { level: S }
                /both: { level: S, limit: 7/s }
                /cost: { cost: 2 }
            """);
    assertThat(words(api(tree, "/level").quota()))
        .isEqualTo("token_bucket 5/s, token_bucket 100/min");
    assertThat(words(api(tree, "/both").quota())).isEqualTo("token_bucket 7/s");
    assertThat(words(api(tree, "/cost").quota())).isEqualTo("token_bucket 600/s burst 9");
  }

  @Test
  void a_level_of_the_default_holds_for_all_that_give_no_limit() {
    QuotaTree tree =
        Trees.of(
            "api: { levels: { S: 5/s }, default: { level: S }, overrides: { /a: { cost: 2 }, /b: 7/s } }");
    assertThat(words(api(tree, "/a").quota())).isEqualTo("fixed_window 5/s");
    assertThat(words(api(tree, "/b").quota())).isEqualTo("fixed_window 7/s");
  }

  @Test
  void plans_of_per_user_take_over_from_it() {
    QuotaTree tree =
        Trees.of(
            "api: { overrides: { /a: { per_user: { limit: 5/s, algorithm: sliding_log, plans: { vip: 50/s } } } } }");
    assertThat(words(perUser(api(tree, "/a")).plans().get("vip"))).isEqualTo("sliding_log 50/s");
  }

  @Test
  void a_line_without_a_default_stands_alone() {
    QuotaTree tree =
        Trees.of(
            "caller: { overrides: { a: 10/s, b: { user: 5/s } } }\napi: { names: [/x], overrides: { /y: { cost: 4 } } }");
    assertThat(words(tree.caller().byDefault())).isEqualTo("none");
    assertThat(words(caller(tree, "a").quota())).isEqualTo("token_bucket 10/s");
    assertThat(words(caller(tree, "b").quota())).isEqualTo("none");
    assertThat(api(tree, "/x")).isEqualTo(ApiRule.NONE);
    assertThat(words(api(tree, "/y").quota())).isEqualTo("none");
    assertThat(api(tree, "/y").costPermits()).isEqualTo(4);
  }

  @Test
  void aliases_and_merge_keys_share_lines() {
    QuotaTree tree =
        Trees.of(
            """
            caller:
              overrides:
                a: &common { limit: 10/s, concurrency: 5 }
                b: *common
                c: { <<: *common, accounting: loose }
            """);
    assertThat(words(caller(tree, "b").quota())).isEqualTo("token_bucket 10/s, 5 in flight");
    assertThat(words(caller(tree, "c").quota())).isEqualTo("token_bucket 10/s, 5 in flight, loose");
  }

  private static PerUser perUser(ApiRule rule) {
    return Objects.requireNonNull(rule.perUser());
  }
}
