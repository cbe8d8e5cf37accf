package io.quotatree.testkit.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.testkit.oracle.OracleDecision;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Traces in which nothing happens would prove nothing. */
class TraceStatisticsTest {

  private static final int TRACES = 2_000;
  private static final Map<String, Integer> COUNTS = new TreeMap<>();

  @BeforeAll
  static void count() {
    for (long seed = 0; seed < TRACES; seed++) {
      Trace trace = Trace.of(seed);
      trace.steps().forEach(step -> add("step " + step.getClass().getSimpleName()));
      TraceComparison.rehearse(trace, TraceStatisticsTest::count);
    }
    System.out.println("of " + TRACES + " traces: " + COUNTS);
  }

  private static void count(OracleDecision decision) {
    add("decisions");
    add(decision.outcome().word());
    decision.layer().ifPresent(layer -> add("refused by " + layer.word()));
    decision.refusing().stream()
        .map(LimitState::algorithm)
        .distinct()
        .forEach(TraceStatisticsTest::add);
    add(decision.wouldRefuse() ? "would refuse" : "would not");
    add(decision.holding() ? "holding" : "not holding");
    add(decision.costPermits() == 0 ? "free" : "costs");
    if (decision.retryAfter().never()) {
      add("never");
    }
    long layers = decision.refusing().stream().map(LimitState::layer).distinct().count();
    if (layers > 1) {
      add("refused by several layers");
    }
    if (decision.told().filter(told -> told.remainingPermits() == 0).isPresent()) {
      add(decision.allowed() ? "took the last" : "found none");
    }
  }

  private static void add(String what) {
    COUNTS.merge(what, 1, Integer::sum);
  }

  private static int percent(String what, String of) {
    return 100 * COUNTS.getOrDefault(what, 0) / COUNTS.getOrDefault(of, 0);
  }

  @Test
  void both_outcomes_are_common() {
    assertThat(percent("allowed", "decisions")).isBetween(30, 70);
    assertThat(percent("refused", "decisions")).isBetween(30, 70);
  }

  @Test
  void every_layer_refuses_often() {
    for (Layer layer : Layer.values()) {
      assertThat(percent("refused by " + layer.word(), "refused"))
          .as(layer.word())
          .isGreaterThanOrEqualTo(10);
    }
  }

  @Test
  void every_algorithm_refuses_often() {
    for (AlgorithmName algorithm : AlgorithmName.values()) {
      assertThat(percent(algorithm.word(), "refused"))
          .as(algorithm.word())
          .isGreaterThanOrEqualTo(8);
    }
    assertThat(percent("concurrency", "refused")).isGreaterThanOrEqualTo(4);
  }

  @Test
  void the_edges_of_rules_are_met() {
    assertThat(percent("took the last", "allowed")).isGreaterThanOrEqualTo(10);
    assertThat(percent("refused by several layers", "refused")).isGreaterThanOrEqualTo(10);
    assertThat(percent("never", "refused")).isBetween(2, 40);
    assertThat(percent("would refuse", "allowed")).isGreaterThanOrEqualTo(3);
    assertThat(percent("holding", "allowed")).isGreaterThanOrEqualTo(10);
    assertThat(percent("free", "decisions")).isBetween(1, 20);
  }

  @Test
  void time_moves_in_every_way() {
    for (String step :
        new String[] {"Advance", "Await", "Release", "Reload", "StepWall", "Settle"}) {
      assertThat(COUNTS.getOrDefault("step " + step, 0)).as(step).isGreaterThan(TRACES / 4);
    }
  }

  @Test
  void what_was_charged_is_given_back_owed_and_forgotten() {
    assertThat(COUNTS.getOrDefault("step Settle", 0)).isGreaterThan(TRACES);
    assertThat(COUNTS.getOrDefault("step Reset", 0)).isGreaterThan(TRACES / 8);
  }

  @Test
  void a_seed_tells_the_same_trace_each_time() {
    assertThat(Trace.of(7)).isEqualTo(Trace.of(7)).isNotEqualTo(Trace.of(8));
  }
}
