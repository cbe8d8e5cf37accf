package io.quotatree.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.Line;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.observe.NamedSubjects.Subject;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class NamedSubjectsTest {

  static final Quota QUOTA =
      Quota.of(RateLimit.of(AlgorithmName.TOKEN_BUCKET, Rate.of(10, 60_000_000)));

  static QuotaTree callers(String... patterns) {
    return QuotaTree.empty()
        .withCaller(
            new CallerLines(
                QUOTA, List.of(patterns).stream().map(p -> CallerOverride.of(p, QUOTA)).toList()));
  }

  @Test
  void an_empty_tree_names_the_node_alone() {
    assertThat(NamedSubjects.of(QuotaTree.empty(), "gateway-01", 1_000))
        .containsExactly(new Subject(Layer.NODE, "node"));
  }

  @Test
  void this_gateway_is_a_subject_where_gateways_have_quotas_of_their_own() {
    QuotaTree tree =
        QuotaTree.empty().withNode(new NodeLines(null, null, List.of(new Line("big-*", QUOTA))));
    assertThat(NamedSubjects.of(tree, "gateway-01", 1_000))
        .containsExactly(
            new Subject(Layer.NODE, "node"), new Subject(Layer.NODE, "node@gateway-01"));
  }

  @Test
  void named_callers_apis_groups_and_callers_own_apis_are_subjects_and_users_never() {
    CallerOverride caller =
        new CallerOverride(
            "app a",
            QUOTA,
            QUOTA,
            List.of(new Line("u-vip", QUOTA)),
            Map.of("gold", QUOTA),
            List.of(new CallerOverride.ApiQuota("POST /order", QUOTA)));
    CallerOverride pattern =
        new CallerOverride(
            "partner-*",
            QUOTA,
            null,
            List.of(),
            Map.of(),
            List.of(new CallerOverride.ApiQuota("GET /x", QUOTA)));
    QuotaTree tree =
        QuotaTree.empty()
            .withCaller(new CallerLines(QUOTA, List.of(caller, pattern)))
            .withApi(
                new ApiLines(
                    ApiRule.of(QUOTA),
                    List.of(new ApiLines.ApiLine("GET /user/{id}", ApiRule.of(QUOTA))),
                    List.of(new ApiLines.Group("orders", List.of("/order/**"), QUOTA))));
    assertThat(NamedSubjects.of(tree, "gateway-01", 1_000))
        .containsExactly(
            new Subject(Layer.NODE, "node"),
            new Subject(Layer.CALLER, "app%20a"),
            new Subject(Layer.API, "group:orders"),
            new Subject(Layer.API, "GET /user/{id}"),
            new Subject(Layer.API, "app%20a|POST /order"));
  }

  @Test
  void no_more_than_the_bound_are_named() {
    QuotaTree tree =
        callers(IntStream.range(0, 2_000).mapToObj(i -> "app-" + i).toArray(String[]::new));
    assertThat(NamedSubjects.of(tree, "gateway-01", 1_000))
        .hasSize(1_000)
        .contains(new Subject(Layer.CALLER, "app-998"))
        .doesNotContain(new Subject(Layer.CALLER, "app-999"));
  }

  @Test
  void a_caller_that_is_called_other_is_among_the_others() {
    assertThat(NamedSubjects.of(callers("other", "app"), "gateway-01", 1_000))
        .doesNotContain(new Subject(Layer.CALLER, "other"))
        .contains(new Subject(Layer.CALLER, "app"));
  }
}
