package io.quotatree.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.OnFailure;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Stagger;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.UserLines;
import io.quotatree.observe.log.DecisionLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the page counts. */
final class MetricsTest extends CountedDecisions {

  @Test
  void the_page_has_exactly_the_metrics_of_the_reference_page() throws IOException {
    metrics.usageFrom(new Counting(apis("/x")).limiter::peek);
    metrics.upstream("orders");
    try (DecisionLog log = new DecisionLog("gateway-01")) {
      log.countIn(page.registry());
      DecisionIdMetrics.now(page.registry(), "live", this, ids -> 1);
      DecisionIdMetrics.missed(page.registry(), "unknown", this, ids -> 1);
      new StoreMetrics(page.registry()).standing(List.of("up"), () -> "up", () -> 1);
      RememberedMetrics.register(page.registry(), this, refusals -> 1, forgettings -> 1);
      OverrideMetrics.register(page.registry(), this, overrides -> 1);
      assertThat(scraped.families()).containsExactlyInAnyOrderElementsOf(documented());
    }
  }

  @Test
  void a_store_is_counted_by_answers_failures_and_what_was_decided_without_it() {
    StoreMetrics store = new StoreMetrics(page.registry());
    store.standing(List.of("up", "silent", "unreachable"), () -> "silent", () -> 3);
    store.storeAnswered(400_000);
    store.storeFailed();
    store.storeFailed();
    store.fellBack(OnFailure.LOCAL);
    assertThat(scraped.value("quotatree_store_round_trips_total{result=\"answered\"}")).isOne();
    assertThat(scraped.value("quotatree_store_round_trips_total{result=\"failed\"}")).isEqualTo(2);
    assertThat(scraped.value("quotatree_store_seconds_bucket{le=\"5.0E-4\"}")).isOne();
    assertThat(scraped.value("quotatree_store_fallbacks_total{on_failure=\"local\"}")).isOne();
    assertThat(scraped.value("quotatree_store_fallbacks_total{on_failure=\"closed\"}")).isZero();
    assertThat(scraped.value("quotatree_store_state{state=\"up\"}")).isZero();
    assertThat(scraped.value("quotatree_store_state{state=\"silent\"}")).isOne();
    assertThat(scraped.value("quotatree_store_gateways")).isEqualTo(3);
  }

  @Test
  void a_memory_of_refusals_is_counted_by_what_it_spares_the_store() {
    RememberedMetrics.register(page.registry(), this, refusals -> 7, forgettings -> 2);
    assertThat(scraped.value("quotatree_store_remembered_refusals_total")).isEqualTo(7);
    assertThat(scraped.value("quotatree_store_forgettings_total")).isEqualTo(2);
  }

  private static List<String> documented() throws IOException {
    Pattern row = Pattern.compile("\\| `(quotatree_\\w+)` \\| (\\w+) \\|.*");
    return Files.readAllLines(Path.of("../docs/reference/metrics.md")).stream()
        .map(row::matcher)
        .filter(Matcher::matches)
        .map(found -> found.group(1) + " " + found.group(2))
        .toList();
  }

  @Test
  void every_series_of_decisions_is_there_before_the_first_decision() {
    assertThat(decisions("none", "allowed")).isZero();
    assertThat(decisions("none", "unavailable")).isZero();
    assertThat(decisions("none", "would_refuse")).isZero();
    for (Layer layer : Layer.values()) {
      assertThat(decisions(layer.word(), "refused")).isZero();
      assertThat(decisions(layer.word(), "would_refuse")).isZero();
      assertThat(refusals(layer.word(), "other")).isZero();
    }
  }

  @Test
  void refusals_by_layer_add_up_to_all_refusals_and_decisions_to_all_requests() {
    new Counting(QuotaTree.empty().withNode(new NodeLines(ONE_A_DAY, null, List.of())))
        .twice("a", "u", "/");
    new Counting(QuotaTree.empty().withCaller(new CallerLines(ONE_A_DAY, List.of())))
        .twice("a", "u", "/");
    new Counting(
            QuotaTree.empty()
                .withUser(new UserLines(ONE_A_DAY, null, Map.of(), UserLines.Anonymous.NONE)))
        .twice("a", "u", "/");
    new Counting(apis("/x")).twice("a", "u", "/x");
    new Counting(
            QuotaTree.empty()
                .withCaller(new CallerLines(null, List.of(CallerOverride.of("bot", BLOCKED)))))
        .twice("bot", "u", "/");
    assertThat(decisions("none", "allowed")).isEqualTo(4);
    assertThat(decisions("node", "refused")).isEqualTo(1);
    assertThat(decisions("caller", "refused")).isEqualTo(3);
    assertThat(decisions("user", "refused")).isEqualTo(1);
    assertThat(decisions("api", "refused")).isEqualTo(1);
    assertThat(scraped.sum("quotatree_decisions_total")).isEqualTo(10);
    assertThat(scraped.value("quotatree_decision_seconds_count")).isEqualTo(10);
  }

  @Test
  void what_a_shadow_limit_would_refuse_is_counted_as_that_alone() {
    Counting counting =
        new Counting(
            QuotaTree.empty()
                .withCaller(
                    new CallerLines(ONE_A_DAY.withEnforcement(Enforcement.SHADOW), List.of())));
    counting.twice("a", "u", "/").twice("a", "u", "/");
    assertThat(decisions("none", "allowed")).isEqualTo(1);
    assertThat(decisions("caller", "would_refuse")).isEqualTo(3);
    assertThat(scraped.sum("quotatree_decisions_total")).isEqualTo(4);
    assertThat(scraped.sum("quotatree_refusals_total")).isZero();
  }

  @Test
  void the_pass_ratio_is_that_of_the_last_minute() {
    assertThat(scraped.value("quotatree_pass_ratio")).as("no request").isEqualTo(1);
    Counting counting =
        new Counting(QuotaTree.empty().withCaller(new CallerLines(ONE_A_DAY, List.of())));
    counting.twice("a", "u", "/").twice("a", "u", "/");
    assertThat(scraped.value("quotatree_pass_ratio")).isEqualTo(0.25);
    for (int second = 0; second < 59; second++) {
      clock.advance(Duration.ofSeconds(1));
      assertThat(scraped.value("quotatree_pass_ratio")).isEqualTo(0.25);
    }
    counting.decide("b", "u", "/");
    assertThat(scraped.value("quotatree_pass_ratio")).isEqualTo(0.4);
    clock.advance(Duration.ofSeconds(2));
    assertThat(scraped.value("quotatree_pass_ratio")).as("the first four are over").isEqualTo(1);
    clock.advance(Duration.ofHours(1));
    scraped.value("quotatree_pass_ratio");
    clock.advance(Duration.ofMinutes(1));
    assertThat(scraped.value("quotatree_pass_ratio")).as("nobody came").isEqualTo(1);
  }

  @Test
  void requests_and_refusals_at_the_start_of_windows_are_counted() {
    Quota window =
        Quota.of(
            new RateLimit(
                AlgorithmName.FIXED_WINDOW, Rate.of(1, 60_000_000), 1, 1, Stagger.ALIGNED));
    Counting counting =
        new Counting(QuotaTree.empty().withCaller(new CallerLines(window, List.of())));
    counting.twice("a", "u", "/");
    clock.advance(Duration.ofSeconds(5));
    counting.twice("a", "u", "/").twice("b", "u", "/");
    assertThat(scraped.value("quotatree_window_start_requests_total")).isEqualTo(2);
    assertThat(scraped.value("quotatree_window_start_refusals_total")).isEqualTo(1);
  }

  @Test
  void refused_quota_files_are_counted_and_change_nothing_else() {
    metrics.use(QuotaTree.empty(), "gateway-01", 4);
    metrics.configRefused();
    assertThat(scraped.value("quotatree_config_errors_total")).isEqualTo(1);
    assertThat(scraped.value("quotatree_config_revision")).isEqualTo(4);
  }

  @Test
  void decision_times_are_counted_in_buckets_of_seconds() {
    Counting counting = new Counting(QuotaTree.empty());
    counting.twice("a", "u", "/");
    metrics.decided(counting.decision, 2_000_000);
    assertThat(scraped.value("quotatree_decision_seconds_bucket{le=\"5.0E-7\"}")).isZero();
    assertThat(scraped.value("quotatree_decision_seconds_bucket{le=\"1.0E-6\"}")).isEqualTo(2);
    assertThat(scraped.value("quotatree_decision_seconds_bucket{le=\"0.005\"}")).isEqualTo(3);
    assertThat(scraped.value("quotatree_decision_seconds_bucket{le=\"+Inf\"}")).isEqualTo(3);
    assertThat(scraped.value("quotatree_decision_seconds_sum")).isEqualTo(0.0020014);
  }

  @Test
  void counting_an_allowed_decision_allocates_nothing() {
    Counting counting =
        new Counting(QuotaTree.empty().withCaller(new CallerLines(aDay(1_000_000_000), List.of())));
    counting.decide("a", "u", "/");
    long asked =
        Allocated.bytes(() -> counting.decision.allowed() && !counting.decision.wouldRefuse());
    long counted =
        Allocated.bytes(
            () -> {
              metrics.decided(counting.decision, 700);
              return true;
            });
    // Far under one byte a decision: what is left is the measurement's own and a rotating maximum.
    assertThat(counted - asked).isLessThan(20_000);
  }
}
