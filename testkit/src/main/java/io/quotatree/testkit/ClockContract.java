package io.quotatree.testkit;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.leakyBucket;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.RateLimit;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The wall clock steps; nobody gets permits from it, and nobody waits longer than the limit says.
 */
interface ClockContract extends LedgerUnderTest {

  /** Limits that run on monotonic time alone. */
  static Stream<RateLimit> monotonic() {
    return Stream.of(tokenBucket("10/min"), leakyBucket("10/min", 10), slidingLog("10/min"));
  }

  /** Limits that count by the clock on the wall. */
  static Stream<RateLimit> byTheWall() {
    return Stream.of(fixedWindow("10/min"), slidingWindow("10/min"), slidingWindow("10/min", 3));
  }

  @Test
  default void B02_a_clock_set_back_takes_nothing_from_a_bucket() {
    Stage stage = stage(tree(caller(tokenBucket("1/s", 10))));
    stage.advanceMillis(100_000);
    stage.send(REQUEST.withCost(3));
    stage.stepWall(Duration.ofMinutes(-1));
    Decision decision = stage.send(REQUEST);
    assertThat(decision.allowed()).isTrue();
    assertThat(Stage.told(decision).remainingPermits()).isEqualTo(6);
  }

  @Test
  default void B02_a_clock_set_back_locks_nobody_out_of_a_bucket() {
    Stage stage = stage(tree(caller(tokenBucket("1/s", 10))));
    stage.advanceMillis(100_000);
    stage.send(REQUEST.withCost(10));
    stage.stepWall(Duration.ofMinutes(-1));
    int allowed = 0;
    for (int second = 0; second <= 20; second++) {
      Decision decision = stage.send(REQUEST);
      assertThat(decision.retryAfter().millis()).isBetween(0L, 1_000L);
      allowed += decision.allowed() ? 1 : 0;
      stage.advanceMillis(1_000);
    }
    assertThat(allowed).isEqualTo(20);
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.ClockContract#monotonic")
  default void B02_no_step_of_the_wall_is_seen_by_buckets_and_logs(RateLimit limit) {
    Stage stepped = stage(tree(caller(limit)));
    Stage steady = stage(tree(caller(limit)));
    List<Duration> steps =
        List.of(Duration.ofHours(-1), Duration.ofDays(400), Duration.ofMillis(-700));
    for (int i = 0; i < 60; i++) {
      stepped.stepWall(steps.get(i % steps.size()));
      Decision decision = stepped.send(REQUEST);
      Decision same = steady.send(REQUEST);
      assertThat(decision.allowed()).isEqualTo(same.allowed());
      assertThat(decision.told()).isEqualTo(same.told());
      stepped.advanceMillis(1_700);
      steady.advanceMillis(1_700);
    }
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.ClockContract#byTheWall")
  default void B02_a_clock_set_back_gives_no_window_twice_and_ends_it_in_time(RateLimit limit) {
    Stage stage = stage(tree(caller(limit)));
    stage.advanceMillis(30_000);
    assertThat(stage.allowed(REQUEST, 11)).isEqualTo(10);
    stage.stepWall(Duration.ofHours(-1));
    Duration spent = stage.elapsed();
    while (!stage.send(REQUEST).allowed()) {
      stage.advanceMillis(500);
      assertThat(stage.elapsed().minus(spent)).isLessThan(Duration.ofMinutes(2));
    }
    // The window clock runs at most a tenth slow: a wait is at most an eighth longer.
    Duration waited = stage.elapsed().minus(spent);
    long longest = limit.slices() == 1 ? 60_000 : 60_000 + 60_000 / limit.slices();
    assertThat(waited.toMillis()).isBetween(29_000L, longest * 9 / 8 + 500);
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.ClockContract#byTheWall")
  default void a_clock_that_jitters_by_under_a_second_moves_no_window(RateLimit limit) {
    Stage jittered = stage(tree(caller(limit)));
    Stage steady = stage(tree(caller(limit)));
    for (int i = 0; i < 100; i++) {
      jittered.stepWall(Duration.ofMillis(i % 2 == 0 ? 900 : -900));
      assertThat(jittered.send(REQUEST).told()).isEqualTo(steady.send(REQUEST).told());
      jittered.advanceMillis(1_900);
      steady.advanceMillis(1_900);
    }
  }

  @Test
  default void a_clock_set_forward_is_followed_at_once() {
    Stage stage = stage(tree(caller(fixedWindow("10/h"))));
    assertThat(stage.allowed(REQUEST, 20)).isEqualTo(10);
    stage.stepWall(Duration.ofHours(1));
    assertThat(stage.allowed(REQUEST, 20)).isEqualTo(10);
    assertThat(stage.told(REQUEST).reset().seconds()).isEqualTo(3_600);
  }
}
