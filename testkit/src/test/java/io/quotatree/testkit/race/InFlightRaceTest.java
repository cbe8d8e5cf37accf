package io.quotatree.testkit.race;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Trees.api;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.node;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.testkit.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Permits in flight under threads: never one more than there are, and all back in the end. */
class InFlightRaceTest {

  private static final Request REQUEST = Request.of("app", "u", "GET", "/x");

  @Test
  void never_more_run_at_once_than_may_and_in_the_end_none() {
    Stage stage = stage(tree(node(atOnce(5)), caller(atOnce(3)), api("/x", atOnce(4))));
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger ran = new AtomicInteger();
    Crowd.all(
        thread -> {
          SplittableRandom random = new SplittableRandom(thread);
          List<Decision> held = new ArrayList<>();
          for (int i = 0; i < 30_000; i++) {
            if (random.nextInt(5) < 3) {
              Decision decision = stage.send(REQUEST);
              if (decision.allowed()) {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                ran.incrementAndGet();
                held.add(decision);
              }
            } else if (!held.isEmpty()) {
              end(stage, running, held.remove(held.size() - 1));
            }
          }
          held.forEach(decision -> end(stage, running, decision));
          return 0;
        });
    assertThat(most.get()).isEqualTo(3);
    assertThat(ran.get()).isGreaterThan(1_000);
    assertThat(stage.allowed(REQUEST, 9)).isEqualTo(3);
  }

  private static void end(Stage stage, AtomicInteger running, Decision decision) {
    running.decrementAndGet();
    stage.release(decision);
  }

  @Test
  void a_request_that_another_layer_refuses_holds_nothing_whatever_raced() {
    for (int round = 0; round < 200; round++) {
      Quota both = Quota.of(fixedWindow("20/h")).withConcurrency(15);
      Stage stage = stage(tree(node(atOnce(18)), caller(both), api("/x", fixedWindow("10/h"))));
      List<Decision> all = new ArrayList<>();
      Crowd.all(thread -> List.of(stage.send(REQUEST), stage.send(REQUEST), stage.send(REQUEST)))
          .forEach(all::addAll);
      all.forEach(stage::release);
      stage.reload(tree(node(atOnce(18))));
      assertThat(stage.allowed(REQUEST, 30)).isEqualTo(18);
      stage.reload(tree(caller(atOnce(15))));
      assertThat(stage.allowed(REQUEST, 30)).isEqualTo(15);
    }
  }

  @Test
  void permits_held_over_reloads_come_back_though_threads_race() {
    QuotaTree three = tree(caller(atOnce(3)));
    QuotaTree seven = tree(caller(atOnce(7)), api("/x", atOnce(6)));
    Stage stage = stage(three);
    Crowd.all(
        thread -> {
          for (int i = 0; i < 5_000; i++) {
            if (thread == 0) {
              stage.reload(i % 2 == 0 ? seven : three);
            } else {
              stage.release(stage.send(REQUEST));
            }
          }
          return 0;
        });
    stage.reload(seven);
    assertThat(stage.allowed(REQUEST, 9)).isEqualTo(6);
  }

  private static Quota atOnce(int permits) {
    return Quota.of(Allowance.UNLIMITED).withConcurrency(permits);
  }

  private static Stage stage(QuotaTree tree) {
    return new Stage(tree, ticker -> new MemoryLedger());
  }
}
