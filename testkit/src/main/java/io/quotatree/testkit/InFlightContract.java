package io.quotatree.testkit;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Trees.api;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Quota;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Permits in flight: held from the decision to the release, each given back once. */
interface InFlightContract extends LedgerUnderTest {

  /** Nothing but so many requests at once. */
  static Quota atOnce(int permits) {
    return Quota.of(Allowance.UNLIMITED).withConcurrency(permits);
  }

  @Test
  default void so_many_requests_run_at_once_and_no_more() {
    Stage stage = stage(tree(caller(atOnce(2))));
    Decision first = stage.send(REQUEST);
    Decision second = stage.send(REQUEST);
    Decision third = stage.send(REQUEST);
    assertThat(List.of(first.allowed(), second.allowed(), third.allowed()))
        .containsExactly(true, true, false);
    assertThat(List.of(first.holding(), second.holding(), third.holding()))
        .containsExactly(true, true, false);
    stage.release(first);
    assertThat(stage.send(REQUEST).allowed()).isTrue();
    assertThat(stage.send(REQUEST).allowed()).isFalse();
  }

  @Test
  default void a_full_limit_tells_to_come_back_in_a_second() {
    Stage stage = stage(tree(caller(atOnce(1))));
    stage.send(REQUEST);
    Decision refused = stage.send(REQUEST);
    LimitState told = Stage.told(refused);
    assertThat(told.algorithm()).isEqualTo("concurrency");
    assertThat(told.limitPermits()).isEqualTo(1);
    assertThat(told.remainingPermits()).isZero();
    assertThat(refused.retryAfter().micros()).isEqualTo(1_000_000);
    assertThat(told.reset().micros()).isEqualTo(1_000_000);
  }

  @Test
  default void no_time_ends_a_request_that_was_not_released() {
    Stage stage = stage(tree(caller(atOnce(1))));
    stage.send(REQUEST);
    stage.advanceMillis(86_400_000);
    assertThat(stage.send(REQUEST).allowed()).isFalse();
  }

  @Test
  default void a_second_release_does_nothing() {
    Stage stage = stage(tree(caller(atOnce(2))));
    for (int i = 0; i < 100; i++) {
      Decision decision = stage.send(REQUEST);
      stage.release(decision);
      stage.release(decision);
      assertThat(decision.holding()).isFalse();
    }
    assertThat(stage.allowed(REQUEST, 4)).isEqualTo(2);
  }

  @Test
  default void the_release_of_a_refused_request_does_nothing() {
    Stage stage = stage(tree(caller(atOnce(2))));
    stage.allowed(REQUEST, 2);
    for (int i = 0; i < 10; i++) {
      stage.release(stage.send(REQUEST));
    }
    assertThat(stage.send(REQUEST).allowed()).isFalse();
  }

  @Test
  default void a_cost_holds_one_permit_whatever_it_is() {
    Stage stage = stage(tree(caller(atOnce(3))));
    assertThat(stage.send(REQUEST.withCost(500)).allowed()).isTrue();
    assertThat(stage.allowed(REQUEST, 5)).isEqualTo(2);
  }

  @Test
  default void several_layers_hold_and_give_back_together() {
    Stage stage = stage(tree(caller(atOnce(3)), api("/x", atOnce(2))));
    List<Decision> running = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      running.add(stage.send(REQUEST));
    }
    assertThat(running.stream().filter(Decision::allowed)).hasSize(2);
    running.forEach(stage::release);
    // What the api refused, the caller does not hold.
    assertThat(stage.allowed(REQUEST, 5)).isEqualTo(2);
  }

  @Test
  default void a_full_limit_spends_no_permits_per_time() {
    Stage stage = stage(tree(caller(Quota.of(fixedWindow("10/h")).withConcurrency(1))));
    Decision running = stage.send(REQUEST);
    assertThat(stage.allowed(REQUEST, 5)).isZero();
    stage.release(running);
    Decision next = stage.send(REQUEST);
    assertThat(Stage.told(next).remainingPermits()).isEqualTo(8);
  }
}
