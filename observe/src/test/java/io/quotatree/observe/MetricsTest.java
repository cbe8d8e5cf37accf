package io.quotatree.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.UserLines;
import io.quotatree.core.time.ManualTicker;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MetricsTest {

  private static final Quota ONE_A_DAY = aDay(1);
  private static final Quota BLOCKED = Quota.of(Allowance.BLOCKED);

  private final AtomicLong subjects = new AtomicLong();
  private final AtomicLong overflows = new AtomicLong();
  private final AtomicLong inFlight = new AtomicLong();
  private final PrometheusPage page = new PrometheusPage();
  private final Metrics metrics =
      new Metrics(page.registry(), new Readings(subjects::get, overflows::get, inFlight::get));
  private final Scraped scraped = new Scraped(page);

  private static Quota aDay(long permits) {
    return Quota.of(
        RateLimit.of(AlgorithmName.TOKEN_BUCKET, Rate.of(permits, 24L * 60 * 60 * 1_000_000)));
  }

  private static QuotaTree apis(String... names) {
    return QuotaTree.empty()
        .withApi(
            new ApiLines(
                ApiRule.of(ONE_A_DAY),
                List.of(names).stream()
                    .map(name -> new ApiLines.ApiLine(name, ApiRule.of(ONE_A_DAY)))
                    .toList(),
                List.of()));
  }

  /** A limiter whose decisions are counted, on a clock that stands still. */
  private final class Counting {
    private final Limiter limiter;
    private final Decision decision = new Decision();

    Counting(QuotaTree tree) {
      metrics.use(tree, "gateway-01", 1);
      limiter =
          new Limiter(
              Policy.compile(tree, "gateway-01"),
              new MemoryLedger(),
              new ManualTicker(Instant.parse("2026-01-01T00:00:00Z")));
    }

    void decide(Request request) {
      limiter.decide(request, decision);
      metrics.decided(decision, 700);
      limiter.release(decision);
    }

    void decide(String caller, String user, String path) {
      decide(Request.of(caller, user, "GET", path));
    }

    Counting twice(String caller, String user, String path) {
      decide(caller, user, path);
      decide(caller, user, path);
      return this;
    }
  }

  private double decisions(String layer, String outcome) {
    return scraped.value(
        "quotatree_decisions_total{layer=\"" + layer + "\",outcome=\"" + outcome + "\"}");
  }

  private double refusals(String layer, String subject) {
    return scraped.value(
        "quotatree_refusals_total{layer=\"" + layer + "\",subject=\"" + subject + "\"}");
  }

  @Test
  void the_page_has_exactly_the_names_of_the_reference_page() {
    assertThat(scraped.families())
        .containsExactlyInAnyOrder(
            "quotatree_config_errors_total counter",
            "quotatree_config_revision gauge",
            "quotatree_decision_seconds histogram",
            "quotatree_decision_seconds_max gauge",
            "quotatree_decisions_total counter",
            "quotatree_in_flight gauge",
            "quotatree_overflow_total counter",
            "quotatree_refusals_total counter",
            "quotatree_subjects gauge");
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

  @Test
  void readings_are_taken_when_the_page_is_read() {
    subjects.set(12);
    overflows.set(3);
    inFlight.set(7);
    assertThat(scraped.value("quotatree_subjects")).isEqualTo(12);
    assertThat(scraped.value("quotatree_overflow_total")).isEqualTo(3);
    assertThat(scraped.value("quotatree_in_flight")).isEqualTo(7);
    inFlight.set(0);
    assertThat(scraped.value("quotatree_in_flight")).isZero();
  }

  @Test
  void readings_outlive_the_hands_that_gave_them() {
    PrometheusPage forgotten = new PrometheusPage();
    new Metrics(forgotten.registry(), new Readings(() -> 5, () -> 6, () -> 7));
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Scraped later = new Scraped(forgotten);
    assertThat(later.value("quotatree_subjects")).isEqualTo(5);
    assertThat(later.value("quotatree_overflow_total")).isEqualTo(6);
    assertThat(later.value("quotatree_in_flight")).isEqualTo(7);
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
        allocatedBytes(() -> counting.decision.allowed() && !counting.decision.wouldRefuse());
    long counted =
        allocatedBytes(
            () -> {
              metrics.decided(counting.decision, 700);
              return true;
            });
    // Far under one byte a decision: what is left is the measurement's own and a rotating maximum.
    assertThat(counted - asked).isLessThan(20_000);
  }

  private static void assertThatCallHolds(BooleanSupplier call) {
    if (!call.getAsBoolean()) {
      throw new AssertionError("the call answered false");
    }
  }

  /** What 100,000 calls allocate once they are warm. */
  private static long allocatedBytes(BooleanSupplier call) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().getId();
    long before = 0;
    for (int i = 0; i < 150_000; i++) {
      if (i == 50_000) {
        before = threads.getThreadAllocatedBytes(self);
      }
      assertThatCallHolds(call);
    }
    return threads.getThreadAllocatedBytes(self) - before;
  }
}
