package io.quotatree.testkit.race;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.leakyBucket;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.staggeredWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.testkit.Stage;
import io.quotatree.testkit.oracle.OracleLedger;
import io.quotatree.testkit.oracle.OracleMoment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Threads that race for the permits of one limit get what it allows, to the permit. */
class EachAlgorithmRaceTest {

  private static final Request REQUEST = Request.of("app", "u", "GET", "/x");

  static Stream<RateLimit> limits() {
    return Stream.of(
        tokenBucket("100/s", 150),
        leakyBucket("100/s", 150),
        leakyBucket("100/s"),
        fixedWindow("100/s"),
        staggeredWindow("100/s"),
        slidingWindow("100/s", 7),
        slidingWindow("100/s"),
        slidingLog("100/s"));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void no_grant_is_too_many_and_none_is_lost(RateLimit limit) {
    for (int round = 0; round < 200; round++) {
      Stage stage = stage(tree(caller(limit)));
      int granted = Crowd.sum(thread -> stage.allowed(REQUEST, 60));
      assertThat(granted).isEqualTo(Math.min(limit.capacityPermits(), 60 * Crowd.THREADS));
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void moment_by_moment_the_crowd_gets_what_one_caller_would(RateLimit limit) {
    int moments = 400;
    int attempts = 9;
    long stepMicros = 37_003;
    Stage stage = stage(tree(caller(limit)));
    AtomicIntegerArray granted = new AtomicIntegerArray(moments);
    CyclicBarrier moment = new CyclicBarrier(Crowd.THREADS, () -> stage.advanceMicros(stepMicros));
    Crowd.all(
        thread -> {
          Decision decision = new Decision();
          for (int i = 0; i < moments; i++) {
            for (int n = 0; n < attempts; n++) {
              stage.limiter().decide(REQUEST, decision);
              granted.addAndGet(i, decision.allowed() ? 1 : 0);
            }
            Crowd.meet(moment);
          }
          return 0;
        });
    List<Integer> came = new ArrayList<>();
    for (int i = 0; i < moments; i++) {
      came.add(granted.get(i));
    }
    assertThat(came).isEqualTo(expected(limit, moments, attempts * Crowd.THREADS, stepMicros));
  }

  private static List<Integer> expected(
      RateLimit limit, int moments, int attempts, long stepMicros) {
    OracleLedger oracle = new OracleLedger();
    QuotaTree tree = tree(caller(limit));
    long start = Duration.ofSeconds(Stage.START.getEpochSecond()).toNanos() / 1000;
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < moments; i++) {
      OracleMoment now = new OracleMoment(i * stepMicros, start + i * stepMicros);
      int granted = 0;
      for (int n = 0; n < attempts; n++) {
        granted += oracle.decide(tree, "gw-1", REQUEST, now).allowed() ? 1 : 0;
      }
      expected.add(granted);
    }
    return expected;
  }

  @ParameterizedTest
  @MethodSource("limits")
  void while_time_runs_no_stretch_of_it_sees_more_than_the_bound(RateLimit limit) {
    Stage stage = stage(tree(caller(limit)));
    List<List<Grant>> grants = Crowd.all(thread -> grantsWhileTimeRuns(stage));
    List<Grant> all = grants.stream().flatMap(List::stream).toList();
    assertThat(all).hasSizeGreaterThan((int) limit.rate().permits());
    Bounds.assertKept(limit, all);
  }

  /** Each thread moves the clock on a little now and then, so that it runs as long as they do. */
  private static List<Grant> grantsWhileTimeRuns(Stage stage) {
    List<Grant> grants = new ArrayList<>();
    Decision decision = new Decision();
    for (int i = 0; i < 20_000; i++) {
      long after = micros(stage);
      stage.limiter().decide(REQUEST, decision);
      if (decision.allowed()) {
        grants.add(new Grant(after, micros(stage)));
      }
      if (i % 5 == 0) {
        stage.advanceMicros(251);
      }
    }
    return grants;
  }

  private static long micros(Stage stage) {
    return stage.elapsed().toNanos() / 1000;
  }

  private static Stage stage(QuotaTree tree) {
    return new Stage(tree, ticker -> new MemoryLedger());
  }
}
