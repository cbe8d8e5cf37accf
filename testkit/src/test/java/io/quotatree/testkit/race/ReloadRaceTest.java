package io.quotatree.testkit.race;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.leakyBucket;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.Request;
import io.quotatree.testkit.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reloads while threads decide: what was used stays used. */
class ReloadRaceTest {

  private static final Request REQUEST = Request.of("app", "u", "GET", "/x");

  /** Of each algorithm a low, a middle and a high limit; permits of one are whole units of all. */
  static Stream<List<RateLimit>> limits() {
    return Stream.of(
        List.of(tokenBucket("20/h"), tokenBucket("100/h"), tokenBucket("400/h")),
        List.of(leakyBucket("20/h", 20), leakyBucket("100/h", 100), leakyBucket("400/h", 400)),
        List.of(fixedWindow("20/h"), fixedWindow("100/h"), fixedWindow("400/h")),
        List.of(slidingWindow("20/h"), slidingWindow("100/h"), slidingWindow("400/h")),
        List.of(slidingLog("20/h"), slidingLog("100/h"), slidingLog("400/h")));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void no_permit_is_granted_twice_or_lost_while_limits_are_raised(List<RateLimit> limits) {
    for (int round = 0; round < 60; round++) {
      Stage stage = new Stage(tree(caller(limits.get(0))), ticker -> new MemoryLedger());
      int granted = race(stage, limits);
      assertThat(granted).isLessThanOrEqualTo(400);
      assertThat(stage.remaining(REQUEST)).isEqualTo(400 - granted);
      assertThat(granted + stage.allowed(REQUEST, 500)).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void what_was_used_is_kept_while_limits_go_up_and_down(List<RateLimit> limits) {
    if (limits.get(0).algorithm() == AlgorithmName.TOKEN_BUCKET) {
      // Lowered below what was used it is empty, and forgets the rest.
      return;
    }
    List<RateLimit> upAndDown = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      upAndDown.add(limits.get(i % 3));
    }
    upAndDown.add(limits.get(2));
    for (int round = 0; round < 60; round++) {
      Stage stage = new Stage(tree(caller(limits.get(0))), ticker -> new MemoryLedger());
      int granted = race(stage, upAndDown);
      assertThat(granted).isLessThanOrEqualTo(400);
      assertThat(stage.remaining(REQUEST)).isEqualTo(400 - granted);
    }
  }

  /** One thread puts the limits in force one after the other, spread over what the others ask. */
  private static int race(Stage stage, List<RateLimit> limits) {
    AtomicInteger asked = new AtomicInteger();
    int attempts = 180 * (Crowd.THREADS - 1);
    return Crowd.sum(
        thread -> {
          if (thread > 0) {
            return ask(stage, asked);
          }
          for (int i = 0; i < limits.size(); i++) {
            while (asked.get() < attempts * i / limits.size()) {
              Thread.onSpinWait();
            }
            stage.reload(tree(caller(limits.get(i))));
          }
          return 0;
        });
  }

  private static int ask(Stage stage, AtomicInteger asked) {
    Decision decision = new Decision();
    int granted = 0;
    for (int i = 0; i < 180; i++) {
      stage.limiter().decide(REQUEST, decision);
      granted += decision.allowed() ? 1 : 0;
      asked.incrementAndGet();
    }
    return granted;
  }
}
