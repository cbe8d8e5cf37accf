package io.quotatree.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.UserLines;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which subjects have series of their own on the page. */
final class SubjectSeriesTest extends CountedDecisions {

  @Test
  void named_subjects_have_series_and_all_others_share_one() {
    QuotaTree tree =
        QuotaTree.empty()
            .withCaller(
                new CallerLines(
                    ONE_A_DAY,
                    List.of(
                        CallerOverride.of("app a", ONE_A_DAY),
                        CallerOverride.of("partner-*", ONE_A_DAY))));
    new Counting(tree)
        .twice("app a", "u", "/")
        .twice("partner-1", "u", "/")
        .twice("stranger", "u", "/");
    assertThat(refusals("caller", "app%20a")).isEqualTo(1);
    assertThat(refusals("caller", "other")).isEqualTo(2);
  }

  @Test
  void B78_a_hundred_thousand_names_make_no_series() {
    QuotaTree tree =
        apis("GET /orders/{id}")
            .withCaller(new CallerLines(null, List.of(CallerOverride.of("app-a", ONE_A_DAY))))
            .withUser(new UserLines(BLOCKED, null, Map.of(), UserLines.Anonymous.NONE));
    Counting counting = new Counting(tree);
    Set<String> before = scraped.series();
    for (int i = 0; i < 100_000; i++) {
      Request request = Request.of("caller-" + i, "user-" + i, "FOO" + i, "/path/" + i);
      counting.decide(request.withAddress("192.0.2." + i % 256));
    }
    assertThat(scraped.series()).isEqualTo(before);
    assertThat(refusals("user", "other")).isEqualTo(100_000);
  }

  @Test
  void B78_a_hundred_thousand_allowed_names_make_no_series_either() {
    Counting counting =
        new Counting(
            apis("GET /orders/{id}")
                .withApi(
                    new ApiLines(
                        ApiRule.NONE,
                        List.of(new ApiLines.ApiLine("GET /orders/{id}", ApiRule.NONE)),
                        List.of())));
    metrics.usageFrom(counting.limiter::peek);
    Set<String> before = scraped.series();
    for (int i = 0; i < 100_000; i++) {
      counting.decide(Request.of("caller-" + i, "user-" + i, "FOO" + i, "/path/" + i));
    }
    counting.decide("a", "u", "/orders/7");
    assertThat(scraped.series()).isEqualTo(before);
    assertThat(scraped.value("quotatree_api_seconds_count{api=\"other\"}")).isEqualTo(100_000);
    assertThat(scraped.value("quotatree_api_seconds_count{api=\"GET /orders/{id}\"}")).isEqualTo(1);
  }

  @Test
  void only_allowed_requests_have_a_time_of_their_api() {
    new Counting(apis("/x")).twice("a", "u", "/x");
    assertThat(decisions("api", "refused")).isEqualTo(1);
    assertThat(scraped.value("quotatree_api_seconds_count{api=\"/x\"}")).isEqualTo(1);
    assertThat(scraped.value("quotatree_api_seconds_sum{api=\"/x\"}")).isEqualTo(0.03);
  }

  @Test
  void named_subjects_tell_how_full_their_fullest_limit_is() {
    Quota quota =
        Quota.of(
                RateLimit.of(AlgorithmName.TOKEN_BUCKET, Rate.of(4, 1_000_000)),
                RateLimit.of(AlgorithmName.FIXED_WINDOW, Rate.of(1_000, 3_600_000_000L)))
            .withConcurrency(2);
    QuotaTree tree =
        QuotaTree.empty()
            .withCaller(
                new CallerLines(
                    ONE_A_DAY,
                    List.of(
                        CallerOverride.of("app-a", quota),
                        CallerOverride.of("free", Quota.of(Allowance.UNLIMITED)),
                        CallerOverride.of("bot", BLOCKED))));
    Counting counting = new Counting(tree);
    metrics.usageFrom(counting.limiter::peek);
    counting.twice("app-a", "u", "/");
    clock.advance(Duration.ofMillis(201));
    assertThat(scraped.value("quotatree_limit{layer=\"caller\",subject=\"app-a\"}")).isEqualTo(4);
    assertThat(scraped.value("quotatree_used{layer=\"caller\",subject=\"app-a\"}")).isEqualTo(2);
    assertThat(scraped.value("quotatree_effective_limit{layer=\"caller\",subject=\"app-a\"}"))
        .isEqualTo(4);
    assertThat(scraped.value("quotatree_limit{layer=\"caller\",subject=\"bot\"}")).isZero();
    assertThat(scraped.series())
        .doesNotContain("quotatree_limit{layer=\"caller\",subject=\"free\"}");
    clock.advance(Duration.ofSeconds(2));
    assertThat(scraped.value("quotatree_limit{layer=\"caller\",subject=\"app-a\"}"))
        .as("the bucket is full again, the hour is not")
        .isEqualTo(1_000);
    assertThat(scraped.value("quotatree_used{layer=\"caller\",subject=\"app-a\"}")).isEqualTo(2);
  }

  @Test
  void reloads_without_end_make_no_more_gauges_than_the_last_quotas_have() {
    Counting counting = new Counting(apis("/stays", "/goes"));
    metrics.usageFrom(counting.limiter::peek);
    assertThat(scraped.series()).contains("quotatree_limit{layer=\"api\",subject=\"/goes\"}");
    counting.limiter.use(Policy.compile(apis("/stays"), "gateway-01"));
    metrics.use(apis("/stays"), "gateway-01", 2);
    assertThat(scraped.series())
        .contains("quotatree_limit{layer=\"api\",subject=\"/stays\"}")
        .doesNotContain("quotatree_limit{layer=\"api\",subject=\"/goes\"}")
        .doesNotContain("quotatree_api_seconds_count{api=\"/goes\"}");
  }

  @Test
  void a_reload_ends_the_series_of_names_that_are_gone_and_keeps_the_others_counts() {
    new Counting(apis("/stays", "/goes")).twice("a", "u", "/stays").twice("a", "u", "/goes");
    new Counting(apis("/stays", "/comes")).twice("a", "u", "/stays").twice("a", "u", "/comes");
    assertThat(refusals("api", "/stays")).isEqualTo(2);
    assertThat(refusals("api", "/comes")).isEqualTo(1);
    assertThat(scraped.series())
        .doesNotContain("quotatree_refusals_total{layer=\"api\",subject=\"/goes\"}");
  }

  @Test
  void reloads_without_end_make_no_more_series_than_the_last_quotas_have() {
    for (int reload = 0; reload < 50; reload++) {
      metrics.use(
          apis(
              IntStream.range(reload * 100, reload * 100 + 2_000)
                  .mapToObj(i -> "/path-" + i)
                  .toArray(String[]::new)),
          "gateway-01",
          reload);
    }
    assertThat(scraped.series())
        .filteredOn(series -> series.startsWith("quotatree_refusals_total"))
        .hasSize(Metrics.MAX_SUBJECTS + Layer.values().length);
  }

  @Test
  void names_in_labels_are_escaped() {
    ApiLines.Group group = new ApiLines.Group("a\"b\\c\nd 订单", List.of("/**"), BLOCKED);
    QuotaTree tree =
        QuotaTree.empty().withApi(new ApiLines(ApiRule.NONE, List.of(), List.of(group)));
    new Counting(tree).decide("a", "u", "/");
    assertThat(refusals("api", "group:a\\\"b\\\\c\\nd 订单")).isEqualTo(1);
  }
}
