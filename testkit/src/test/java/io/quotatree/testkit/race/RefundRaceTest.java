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
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.Request;
import io.quotatree.testkit.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Refunds, debts and resets that race with charges make no permit and lose none. */
class RefundRaceTest {

  private static final Request REQUEST = Request.of("app", "u", "GET", "/x");

  static Stream<RateLimit> limits() {
    return Stream.of(
        tokenBucket("100/year"),
        leakyBucket("100/year", 100),
        fixedWindow("100/year"),
        slidingWindow("100/year"),
        slidingLog("100/year"));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void never_more_is_out_than_the_limit_and_in_the_end_all_adds_up(RateLimit limit) {
    for (int round = 0; round < 30; round++) {
      Stage stage = stage(limit);
      AtomicLong out = new AtomicLong();
      AtomicLong most = new AtomicLong();
      Crowd.all(
          thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < 2_000; i++) {
              Decision decision = stage.send(REQUEST.withCost(1 + random.nextInt(9)));
              if (decision.allowed()) {
                most.accumulateAndGet(out.addAndGet(decision.costPermits()), Math::max);
                long kept = random.nextInt(200) == 0 ? random.nextLong(decision.costPermits()) : 0;
                out.addAndGet(kept - decision.costPermits());
                stage.limiter().settle(decision, kept);
              }
            }
            return 0;
          });
      // A leaky bucket with one permit left grants any cost.
      boolean leaky = limit.algorithm() == AlgorithmName.LEAKY_BUCKET;
      assertThat(most.get()).isLessThanOrEqualTo(leaky ? 99 + 9 : 100);
      assertThat(stage.remaining(REQUEST)).isEqualTo(Math.max(0, 100 - out.get()));
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void a_receipt_that_all_settle_at_once_is_settled_once(RateLimit limit) {
    for (int round = 0; round < 300; round++) {
      Stage stage = stage(limit);
      stage.send(REQUEST.withCost(40));
      Receipt receipt = stage.limiter().keep(stage.send(REQUEST.withCost(30)));
      int settled = Crowd.sum(thread -> stage.limiter().settle(receipt, 0) ? 1 : 0);
      assertThat(settled).isEqualTo(1);
      assertThat(stage.remaining(REQUEST)).isEqualTo(60);
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void debts_that_race_with_charges_are_all_taken(RateLimit limit) {
    for (int round = 0; round < 50; round++) {
      Stage stage = stage(limit);
      List<Decision> cheap = new ArrayList<>();
      for (int i = 0; i < 4 * Crowd.THREADS; i++) {
        cheap.add(stage.send(REQUEST));
      }
      AtomicInteger granted = new AtomicInteger(cheap.size());
      Crowd.all(
          thread -> {
            for (int i = 0; i < 4; i++) {
              stage.limiter().settle(cheap.get(4 * thread + i), 4);
              granted.addAndGet(3 + stage.allowed(REQUEST, 1));
            }
            return 0;
          });
      assertThat(stage.remaining(REQUEST)).isEqualTo(100 - granted.get());
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void a_reset_amid_charges_grants_the_limit_once_more_at_most(RateLimit limit) {
    for (int round = 0; round < 100; round++) {
      Stage stage = stage(limit);
      int granted =
          Crowd.sum(
              thread -> {
                int allowed = stage.allowed(REQUEST, 60);
                if (thread == 0) {
                  stage.limiter().reset(Layer.CALLER, "app");
                }
                return allowed + stage.allowed(REQUEST, 60);
              });
      assertThat(granted + stage.allowed(REQUEST, 200)).isBetween(100, 200);
      assertThat(stage.allowed(REQUEST, 1)).isZero();
    }
  }

  private static Stage stage(RateLimit limit) {
    return new Stage(tree(caller(limit)), ticker -> new MemoryLedger());
  }
}
