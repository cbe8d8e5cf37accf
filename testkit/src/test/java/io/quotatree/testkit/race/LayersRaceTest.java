package io.quotatree.testkit.race;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.leakyBucket;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.api;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.node;
import static io.quotatree.testkit.Trees.tree;
import static io.quotatree.testkit.Trees.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.testkit.Stage;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that race through four layers are charged in all of them, or in none. */
class LayersRaceTest {

  private static final List<String> CALLERS = List.of("a", "b");
  private static final List<String> USERS = List.of("u", "v", "w");
  private static final List<String> PATHS = List.of("/x", "/y");

  static Stream<List<RateLimit>> algorithmsByLayer() {
    return Stream.of(
        List.of(
            slidingWindow("400/h"),
            tokenBucket("220/h"),
            leakyBucket("90/h", 90),
            fixedWindow("210/h")),
        List.of(
            fixedWindow("400/h"), slidingLog("220/h"), slidingWindow("90/h"), tokenBucket("210/h")),
        List.of(
            tokenBucket("400/h"), fixedWindow("220/h"), slidingLog("90/h"), slidingWindow("210/h")),
        List.of(
            slidingLog("400/h"),
            leakyBucket("220/h", 220),
            tokenBucket("90/h"),
            leakyBucket("210/h", 210)));
  }

  @ParameterizedTest
  @MethodSource("algorithmsByLayer")
  void each_layer_is_charged_what_was_allowed_and_nothing_else(List<RateLimit> limits) {
    for (int round = 0; round < 60; round++) {
      Stage stage = new Stage(fourLayers(limits), ticker -> new MemoryLedger());
      AtomicInteger[] allowed =
          IntStream.range(0, 12).mapToObj(i -> new AtomicInteger()).toArray(AtomicInteger[]::new);
      int seed = round;
      Crowd.all(
          thread -> {
            SplittableRandom random = new SplittableRandom(100 * seed + thread);
            Decision decision = new Decision();
            for (int i = 0; i < 300; i++) {
              int which = random.nextInt(12);
              stage.limiter().decide(request(which), decision);
              allowed[which].addAndGet(decision.allowed() ? 1 : 0);
            }
            return 0;
          });
      assertCharged(stage, limits, allowed);
    }
  }

  private static QuotaTree fourLayers(List<RateLimit> limits) {
    return tree(
        node(limits.get(0)),
        caller(limits.get(1)),
        user(limits.get(2)),
        api("/x", limits.get(3)),
        api("/y", limits.get(3)));
  }

  private static Request request(int which) {
    return Request.of(
        CALLERS.get(which % 2), USERS.get(which / 2 % 3), "GET", PATHS.get(which / 6));
  }

  /** Asks each layer alone how much of it is used. */
  private static void assertCharged(Stage stage, List<RateLimit> limits, AtomicInteger[] allowed) {
    stage.reload(tree(node(limits.get(0))));
    assertUsed(stage, 0, sum(allowed, i -> true));
    stage.reload(tree(caller(limits.get(1))));
    for (int c = 0; c < 2; c++) {
      int caller = c;
      assertUsed(stage, c, sum(allowed, i -> i % 2 == caller));
    }
    stage.reload(tree(user(limits.get(2))));
    for (int u = 0; u < 6; u++) {
      int user = u;
      assertUsed(stage, u, sum(allowed, i -> i % 6 == user));
    }
    stage.reload(tree(api("/x", limits.get(3)), api("/y", limits.get(3))));
    for (int p = 0; p < 2; p++) {
      int path = p;
      assertUsed(stage, 6 * p, sum(allowed, i -> i / 6 == path));
    }
  }

  private static int sum(AtomicInteger[] allowed, IntPredicate which) {
    return IntStream.range(0, allowed.length).filter(which).map(i -> allowed[i].get()).sum();
  }

  private static void assertUsed(Stage stage, int which, int used) {
    assertThat(stage.told(request(which).withCost(0)).usedPermits()).isEqualTo(used);
  }

  @ParameterizedTest
  @MethodSource("algorithmsByLayer")
  void what_races_left_over_is_there_once_all_is_quiet(List<RateLimit> limits) {
    for (int round = 0; round < 60; round++) {
      Stage stage = new Stage(fourLayers(limits), ticker -> new MemoryLedger());
      int raced = Crowd.sum(thread -> stage.allowed(request(0), 40));
      int after = stage.allowed(request(0), 100);
      assertThat(raced + after).isEqualTo(90);
    }
  }

  @ParameterizedTest
  @MethodSource("algorithmsByLayer")
  void a_storm_of_refused_requests_leaves_nobody_refused_once_it_stops(List<RateLimit> limits) {
    QuotaTree calm = fourLayers(limits);
    QuotaTree stormy = api("/storm", fixedWindow("1/h")).apply(calm);
    Stage stage = new Stage(stormy, ticker -> new MemoryLedger());
    Request storm = Request.of("a", "u", "GET", "/storm");
    assertThat(stage.allowed(storm, 1)).isEqualTo(1);
    assertThat(Crowd.sum(thread -> stage.allowed(storm, 20_000))).isZero();
    assertThat(stage.allowed(request(0), 100)).isEqualTo(89);
    assertThat(stage.allowed(request(1), 100)).isEqualTo(90);
  }

  @Test
  void a_storm_besides_takes_nothing_from_those_who_are_within_their_quotas() {
    QuotaTree tree =
        tree(
            node(slidingWindow("100000/h")),
            caller(tokenBucket("4000/h")),
            user(slidingLog("4000/h")));
    Stage stage = new Stage(tree, ticker -> new MemoryLedger());
    List<Integer> allowed =
        Crowd.all(
            thread -> {
              String caller = thread == 0 ? "calm" : "storm";
              int requests = thread == 0 ? 4_000 : 30_000;
              return stage.allowed(Request.of(caller, "u", "GET", "/x"), requests);
            });
    assertThat(allowed.get(0)).isEqualTo(4_000);
    assertThat(allowed.stream().mapToInt(Integer::intValue).sum()).isEqualTo(8_000);
  }
}
