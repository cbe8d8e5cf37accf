package io.quotatree.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.QuotaTree;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MetricsTest {

  private final AtomicLong subjects = new AtomicLong();
  private final AtomicLong overflows = new AtomicLong();
  private final AtomicLong inFlight = new AtomicLong();
  private final PrometheusPage page = new PrometheusPage();
  private final Metrics metrics =
      new Metrics(page.registry(), new Readings(subjects::get, overflows::get, inFlight::get));

  private List<String> samples() {
    return page.scrape().lines().filter(line -> !line.startsWith("#")).toList();
  }

  private double value(String series) {
    return samples().stream()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no series " + series + " in\n" + page.scrape()));
  }

  private Set<String> series() {
    return samples().stream()
        .map(line -> line.substring(0, line.lastIndexOf(' ')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private double sum(String prefix) {
    return samples().stream()
        .filter(line -> line.startsWith(prefix))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void the_page_has_exactly_the_names_of_the_reference_page() {
    Set<String> families =
        page.scrape()
            .lines()
            .filter(line -> line.startsWith("# TYPE "))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(families)
        .containsExactlyInAnyOrder(
            "# TYPE quotatree_config_errors_total counter",
            "# TYPE quotatree_config_revision gauge",
            "# TYPE quotatree_decision_seconds histogram",
            "# TYPE quotatree_decision_seconds_max gauge",
            "# TYPE quotatree_decisions_total counter",
            "# TYPE quotatree_in_flight gauge",
            "# TYPE quotatree_overflow_total counter",
            "# TYPE quotatree_refusals_total counter",
            "# TYPE quotatree_subjects gauge");
  }

  @Test
  void every_series_of_decisions_is_there_before_the_first_decision() {
    assertThat(series())
        .contains(
            "quotatree_decisions_total{layer=\"none\",outcome=\"allowed\"}",
            "quotatree_decisions_total{layer=\"none\",outcome=\"would_refuse\"}",
            "quotatree_decisions_total{layer=\"none\",outcome=\"unavailable\"}",
            "quotatree_decisions_total{layer=\"node\",outcome=\"refused\"}",
            "quotatree_decisions_total{layer=\"caller\",outcome=\"refused\"}",
            "quotatree_decisions_total{layer=\"user\",outcome=\"refused\"}",
            "quotatree_decisions_total{layer=\"api\",outcome=\"refused\"}",
            "quotatree_refusals_total{layer=\"user\",subject=\"other\"}");
  }

  @Test
  void each_decision_is_in_one_series_and_refusals_by_layer_are_all_refusals() {
    metrics.passed(Outcome.ALLOWED, false);
    metrics.passed(Outcome.ALLOWED, false);
    metrics.passed(Outcome.ALLOWED, true);
    metrics.passed(Outcome.UNAVAILABLE, false);
    metrics.refused(Layer.CALLER, "a");
    metrics.refused(Layer.USER, "a/u");
    metrics.refused(Layer.USER, "a/v");
    assertThat(value("quotatree_decisions_total{layer=\"none\",outcome=\"allowed\"}")).isEqualTo(2);
    assertThat(value("quotatree_decisions_total{layer=\"none\",outcome=\"would_refuse\"}"))
        .isEqualTo(1);
    assertThat(value("quotatree_decisions_total{layer=\"none\",outcome=\"unavailable\"}"))
        .isEqualTo(1);
    assertThat(value("quotatree_decisions_total{layer=\"user\",outcome=\"refused\"}")).isEqualTo(2);
    assertThat(sum("quotatree_decisions_total")).isEqualTo(7);
    assertThat(sum("quotatree_refusals_total")).isEqualTo(3);
  }

  @Test
  void named_subjects_have_series_and_all_others_share_one() {
    metrics.use(NamedSubjectsTest.callers("app-a", "partner-*"), "gateway-01", 1);
    metrics.refused(Layer.CALLER, "app-a");
    metrics.refused(Layer.CALLER, "partner-1");
    metrics.refused(Layer.CALLER, "stranger");
    metrics.refused(Layer.USER, "app-a/u1");
    metrics.refused(Layer.NODE, "node");
    assertThat(value("quotatree_refusals_total{layer=\"caller\",subject=\"app-a\"}")).isEqualTo(1);
    assertThat(value("quotatree_refusals_total{layer=\"caller\",subject=\"other\"}")).isEqualTo(2);
    assertThat(value("quotatree_refusals_total{layer=\"user\",subject=\"other\"}")).isEqualTo(1);
    assertThat(value("quotatree_refusals_total{layer=\"node\",subject=\"node\"}")).isEqualTo(1);
  }

  @Test
  void B78_a_hundred_thousand_names_make_no_series() {
    metrics.use(NamedSubjectsTest.callers("app-a"), "gateway-01", 1);
    Set<String> before = series();
    for (int i = 0; i < 100_000; i++) {
      metrics.refused(Layer.CALLER, "caller-" + i);
      metrics.refused(Layer.USER, "app-a/user-" + i);
      metrics.refused(Layer.API, "/**|caller-" + i);
      metrics.refused(Layer.NODE, "node/ip:192.0.2." + i);
    }
    assertThat(series()).isEqualTo(before);
    assertThat(value("quotatree_refusals_total{layer=\"user\",subject=\"other\"}"))
        .isEqualTo(100_000);
  }

  @Test
  void a_reload_ends_the_series_of_names_that_are_gone_and_keeps_the_others_counts() {
    metrics.use(NamedSubjectsTest.callers("stays", "goes"), "gateway-01", 1);
    metrics.refused(Layer.CALLER, "stays");
    metrics.refused(Layer.CALLER, "goes");
    metrics.use(NamedSubjectsTest.callers("stays", "comes"), "gateway-01", 2);
    metrics.refused(Layer.CALLER, "stays");
    metrics.refused(Layer.CALLER, "goes");
    metrics.refused(Layer.CALLER, "comes");
    assertThat(value("quotatree_refusals_total{layer=\"caller\",subject=\"stays\"}")).isEqualTo(2);
    assertThat(value("quotatree_refusals_total{layer=\"caller\",subject=\"comes\"}")).isEqualTo(1);
    assertThat(value("quotatree_refusals_total{layer=\"caller\",subject=\"other\"}")).isEqualTo(1);
    assertThat(series())
        .doesNotContain("quotatree_refusals_total{layer=\"caller\",subject=\"goes\"}");
    assertThat(value("quotatree_config_revision")).isEqualTo(2);
  }

  @Test
  void reloads_without_end_make_no_more_series_than_the_last_quotas_have() {
    for (int reload = 0; reload < 50; reload++) {
      int first = reload * 100;
      metrics.use(
          NamedSubjectsTest.callers(
              IntStream.range(first, first + 2_000)
                  .mapToObj(i -> "app-" + i)
                  .toArray(String[]::new)),
          "gateway-01",
          reload);
    }
    assertThat(series().stream().filter(s -> s.startsWith("quotatree_refusals_total")).count())
        .isEqualTo(Metrics.MAX_SUBJECTS + Layer.values().length);
  }

  @Test
  void names_in_labels_are_escaped() {
    String name = "GET /a\"b\\c\nd/订单";
    QuotaTree tree =
        QuotaTree.empty()
            .withApi(
                new ApiLines(
                    ApiRule.NONE,
                    List.of(new ApiLines.ApiLine(name, ApiRule.of(NamedSubjectsTest.QUOTA))),
                    List.of()));
    metrics.use(tree, "gateway-01", 1);
    metrics.refused(Layer.API, name);
    assertThat(value("quotatree_refusals_total{layer=\"api\",subject=\"GET /a\\\"b\\\\c\\nd/订单\"}"))
        .isEqualTo(1);
  }

  @Test
  void readings_are_taken_when_the_page_is_read() {
    subjects.set(12);
    overflows.set(3);
    inFlight.set(7);
    System.gc(); // meters must not lose what they read
    assertThat(value("quotatree_subjects")).isEqualTo(12);
    assertThat(value("quotatree_overflow_total")).isEqualTo(3);
    assertThat(value("quotatree_in_flight")).isEqualTo(7);
    inFlight.set(0);
    assertThat(value("quotatree_in_flight")).isZero();
  }

  @Test
  void refused_quota_files_are_counted_and_change_nothing_else() {
    metrics.use(NamedSubjectsTest.callers("a"), "gateway-01", 4);
    metrics.configRefused();
    assertThat(value("quotatree_config_errors_total")).isEqualTo(1);
    assertThat(value("quotatree_config_revision")).isEqualTo(4);
  }

  @Test
  void decision_times_are_counted_in_buckets_of_seconds() {
    metrics.took(800);
    metrics.took(2_000_000);
    assertThat(value("quotatree_decision_seconds_bucket{le=\"1.0E-6\"}")).isEqualTo(1);
    assertThat(value("quotatree_decision_seconds_bucket{le=\"0.001\"}")).isEqualTo(1);
    assertThat(value("quotatree_decision_seconds_bucket{le=\"0.005\"}")).isEqualTo(2);
    assertThat(value("quotatree_decision_seconds_bucket{le=\"+Inf\"}")).isEqualTo(2);
    assertThat(value("quotatree_decision_seconds_count")).isEqualTo(2);
    assertThat(value("quotatree_decision_seconds_sum")).isEqualTo(0.0020008);
  }

  @Test
  void counting_an_allowed_decision_allocates_nothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().getId();
    countAllowed(20_000);
    long before = threads.getThreadAllocatedBytes(self);
    countAllowed(100_000);
    long bytes = threads.getThreadAllocatedBytes(self) - before;
    // Far under one byte a decision: what is left is the measurement's own and a rotating maximum.
    assertThat(bytes).isLessThan(10_000);
  }

  private void countAllowed(int times) {
    for (int i = 0; i < times; i++) {
      metrics.took(700);
      metrics.passed(Outcome.ALLOWED, false);
    }
  }
}
