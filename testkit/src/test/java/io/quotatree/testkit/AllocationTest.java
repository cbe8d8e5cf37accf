package io.quotatree.testkit;

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

import com.sun.management.ThreadMXBean;
import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiLines.Group;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A decision allocates nothing in steady state.
 *
 * <p>The least of several rounds counts: the compiler may still be at work in the first, and what
 * allocates does so in each.
 */
class AllocationTest {

  private static final int DECISIONS = 100_000;
  private static final int ROUNDS = 10;

  private static final Duration STEP = Duration.ofNanos(37_000);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  static Stream<QuotaTree> fourLayers() {
    return Stream.of(
        four(
            slidingWindow("1000000000/h"), tokenBucket("1000000000/h"),
            leakyBucket("1000000000/h", 1_000_000_000), fixedWindow("1000000000/h")),
        four(
            tokenBucket("1000000000/h"), fixedWindow("1000000000/h"),
            slidingWindow("1000000000/h"), leakyBucket("1000000000/h", 1_000_000_000)),
        four(
            slidingLog("1000/ms"), slidingLog("1000/ms"),
            slidingLog("1000/ms"), slidingLog("1000/ms")));
  }

  private static QuotaTree four(RateLimit n, RateLimit c, RateLimit u, RateLimit a) {
    return tree(node(n), caller(c), user(u), api("GET /user/{id}", a));
  }

  @ParameterizedTest
  @MethodSource("fourLayers")
  void a_granted_request_through_four_layers_allocates_nothing(QuotaTree tree) {
    Stage stage = stage(tree);
    Request request = Request.of("app-a", "u1", "GET", "/user/17");
    Decision decision = new Decision();
    assertNothingAllocated(
        i -> {
          stage.advance(STEP);
          stage.limiter().decide(request, decision);
          assertAllowed(decision, true);
        });
  }

  @ParameterizedTest
  @MethodSource("fourLayers")
  void a_request_that_the_last_of_four_layers_refuses_allocates_nothing(QuotaTree tree) {
    Stage stage = stage(api("GET /user/{id}", fixedWindow("1/year")).apply(scarce(tree)));
    Request request = Request.of("app-a", "u1", "GET", "/user/17");
    Decision decision = new Decision();
    stage.limiter().decide(request, decision);
    assertNothingAllocated(
        i -> {
          stage.limiter().decide(request, decision);
          assertAllowed(decision, false);
        });
  }

  private static QuotaTree scarce(QuotaTree tree) {
    return tree.withApi(ApiLines.NONE);
  }

  @Test
  void a_request_that_holds_permits_in_flight_and_gives_them_back_allocates_nothing() {
    Quota atOnce = Quota.of(tokenBucket("1000000000/h")).withConcurrency(5);
    Stage stage = stage(tree(node(atOnce), caller(atOnce), user(atOnce)));
    Request request = Request.of("app-a", "u1", "GET", "/user/17");
    Decision decision = new Decision();
    assertNothingAllocated(
        i -> {
          stage.limiter().decide(request, decision);
          assertAllowed(decision, true);
          stage.limiter().release(decision);
        });
  }

  @Test
  void paths_that_no_line_fits_and_apis_of_groups_allocate_nothing() {
    Quota quota = Quota.of(fixedWindow("1000000000/h"));
    List<Group> groups =
        List.of(
            new Group("g", List.of("/user/**", "POST /x"), quota),
            new Group("h", List.of("GET /order/{id}", "/**"), quota));
    Stage stage =
        stage(QuotaTree.empty().withApi(new ApiLines(ApiRule.of(quota), List.of(), groups)));
    Request request = Request.of("app-a", "u1", "GET", "/user/17");
    Decision decision = new Decision();
    assertNothingAllocated(
        i -> {
          stage.limiter().decide(request, decision);
          assertAllowed(decision, true);
        });
  }

  @Test
  void users_who_come_and_go_allocate_nothing_once_their_table_has_grown() {
    Stage stage =
        stage(
            four(
                slidingWindow("1000000000/h"), tokenBucket("1000000000/h"),
                tokenBucket("10/s"), fixedWindow("1000000000/h")));
    List<Request> requests =
        IntStream.range(0, DECISIONS)
            .mapToObj(i -> Request.of("app-a", "user-" + i, "GET", "/user/17"))
            .toList();
    Decision decision = new Decision();
    long least =
        leastAllocated(
            i -> {
              // Whoever comes again was forgotten meanwhile.
              stage.advance(STEP);
              stage.limiter().decide(requests.get(i), decision);
              assertAllowed(decision, true);
            });
    // Seldom a segment turns out too small, and is laid out anew.
    assertThat(least).isLessThan(DECISIONS);
  }

  private static Stage stage(QuotaTree tree) {
    return new Stage(tree, ticker -> new MemoryLedger());
  }

  private static void assertAllowed(Decision decision, boolean expected) {
    if (decision.allowed() != expected) {
      throw new AssertionError("expected " + expected);
    }
  }

  private static void assertNothingAllocated(IntConsumer decide) {
    assertThat(leastAllocated(decide)).as("bytes in " + DECISIONS + " decisions").isZero();
  }

  private static long leastAllocated(IntConsumer decide) {
    return IntStream.range(0, ROUNDS).mapToLong(round -> allocated(decide)).min().orElseThrow();
  }

  private static long allocated(IntConsumer decide) {
    long thread = Thread.currentThread().getId();
    long before = THREADS.getThreadAllocatedBytes(thread);
    for (int i = 0; i < DECISIONS; i++) {
      decide.accept(i);
    }
    return THREADS.getThreadAllocatedBytes(thread) - before;
  }
}
