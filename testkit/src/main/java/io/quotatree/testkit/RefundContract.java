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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was charged goes back while it counts, at most once; what was too little becomes a debt. */
interface RefundContract extends LedgerUnderTest {

  /** Ten permits of each algorithm. */
  static Stream<RateLimit> tenOfEach() {
    return Stream.of(
        tokenBucket("10/min"),
        leakyBucket("10/min", 10),
        fixedWindow("10/min"),
        slidingWindow("10/min"),
        slidingLog("10/min"));
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.RefundContract#tenOfEach")
  default void a_refund_gives_back_all_that_was_charged_and_no_more(RateLimit limit) {
    Stage stage = stage(tree(caller(limit)));
    Decision first = stage.send(REQUEST.withCost(4));
    stage.send(REQUEST.withCost(5));
    assertThat(stage.limiter().refund(first)).isTrue();
    assertThat(stage.remaining(REQUEST)).isEqualTo(5);
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.RefundContract#tenOfEach")
  default void a_second_refund_or_settlement_does_nothing(RateLimit limit) {
    Stage stage = stage(tree(caller(limit)));
    Decision first = stage.send(REQUEST.withCost(3));
    stage.send(REQUEST.withCost(6));
    stage.limiter().refund(first);
    assertThat(stage.limiter().refund(first)).isFalse();
    assertThat(stage.limiter().settle(first, 9)).isFalse();
    assertThat(stage.remaining(REQUEST)).isEqualTo(4);
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.RefundContract#tenOfEach")
  default void a_refund_that_comes_when_all_is_back_makes_no_permits(RateLimit limit) {
    Stage stage = stage(tree(caller(limit)));
    Decision first = stage.send(REQUEST.withCost(10));
    stage.advanceMillis(180_000);
    stage.limiter().refund(first);
    assertThat(stage.allowed(REQUEST, 20)).isEqualTo(10);
    assertThat(stage.remaining(REQUEST)).isZero();
  }

  @Test
  default void a_window_that_is_over_gives_nothing_back_to_the_next() {
    for (RateLimit limit : List.of(fixedWindow("10/min"), slidingLog("10/min"))) {
      Stage stage = stage(tree(caller(limit)));
      Decision first = stage.send(REQUEST.withCost(6));
      stage.advanceMillis(60_000);
      stage.send(REQUEST.withCost(7));
      stage.limiter().refund(first);
      assertThat(stage.remaining(REQUEST)).as(limit.toString()).isEqualTo(3);
    }
  }

  @Test
  default void a_slice_takes_back_its_own_charge_alone() {
    Stage stage = stage(tree(caller(slidingWindow("10/min", 6))));
    Decision early = stage.send(REQUEST.withCost(4));
    stage.advanceMillis(20_000);
    Decision late = stage.send(REQUEST.withCost(5));
    stage.limiter().refund(late);
    stage.advanceMillis(45_000);
    // The early charge still counts: its slice ended ten seconds after it began.
    assertThat(stage.remaining(REQUEST)).isEqualTo(6);
    stage.limiter().refund(early);
    assertThat(stage.remaining(REQUEST)).isEqualTo(10);
  }

  @Test
  default void a_bucket_that_refilled_meanwhile_is_never_above_full() {
    Stage stage = stage(tree(caller(tokenBucket("10/s"))));
    Decision first = stage.send(REQUEST.withCost(10));
    stage.advanceMillis(500);
    stage.limiter().refund(first);
    assertThat(stage.allowed(REQUEST, 30)).isEqualTo(10);
  }

  @Test
  default void the_node_layer_keeps_what_it_was_charged() {
    QuotaTree tree =
        tree(
            node(fixedWindow("100/h")),
            caller(fixedWindow("100/h")),
            user(fixedWindow("100/h")),
            api("/x", fixedWindow("100/h")));
    Stage stage = stage(tree);
    Decision first = stage.send(REQUEST.withCost(10));
    stage.limiter().refund(first);
    stage.reload(tree(node(fixedWindow("100/h"))));
    assertThat(stage.remaining(REQUEST)).isEqualTo(90);
    for (QuotaTree other :
        List.of(
            tree(caller(fixedWindow("100/h"))),
            tree(user(fixedWindow("100/h"))),
            tree(api("/x", fixedWindow("100/h"))))) {
      stage.reload(other);
      assertThat(stage.remaining(REQUEST)).isEqualTo(100);
    }
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.RefundContract#tenOfEach")
  default void a_true_cost_below_the_charge_gives_back_the_difference(RateLimit limit) {
    Stage stage = stage(tree(node(tokenBucket("100/h")), caller(limit)));
    Decision first = stage.send(REQUEST.withCost(8));
    assertThat(stage.limiter().settle(first, 3)).isTrue();
    stage.reload(tree(caller(limit)));
    assertThat(stage.remaining(REQUEST)).isEqualTo(7);
  }

  @ParameterizedTest
  @MethodSource("io.quotatree.testkit.RefundContract#tenOfEach")
  default void a_true_cost_above_the_limit_is_a_debt_that_later_requests_wait_for(RateLimit limit) {
    Stage stage = stage(tree(caller(limit)));
    Decision first = stage.send(REQUEST.withCost(8));
    stage.limiter().settle(first, 1_000);
    Decision refused = stage.send(REQUEST);
    assertThat(refused.allowed()).isFalse();
    assertThat(Stage.told(refused).remainingPermits()).isZero();
    stage.advanceMicros(refused.retryAfter().micros() - 1);
    assertThat(stage.send(REQUEST).allowed()).isFalse();
    stage.advanceMicros(1);
    assertThat(stage.send(REQUEST).allowed()).isTrue();
  }

  @Test
  default void a_buckets_debt_is_worked_off_at_its_rate() {
    Stage stage = stage(tree(caller(tokenBucket("10/min"))));
    stage.limiter().settle(stage.send(REQUEST), 70);
    assertThat(stage.send(REQUEST).retryAfter().millis()).isEqualTo(61 * 6_000);
  }

  @Test
  default void debts_of_billions_are_kept_as_far_as_a_counter_reaches_and_end() {
    for (RateLimit limit : tenOfEach().toList()) {
      Stage stage = stage(tree(caller(limit)));
      for (int i = 0; i < 8; i++) {
        stage.limiter().settle(stage.send(REQUEST), 1_000_000_000);
      }
      assertThat(stage.allowed(REQUEST, 5)).as(limit.toString()).isZero();
    }
  }

  @Test
  default void a_debt_is_taken_though_the_counter_was_forgotten_meanwhile() {
    for (RateLimit limit : tenOfEach().toList()) {
      Stage stage = stage(tree(caller(limit)));
      Decision first = stage.send(REQUEST);
      stage.advanceMillis(600_000);
      // Makes room wherever it finds what no longer matters.
      for (int i = 0; i < many(20_000); i++) {
        stage.send(Request.of("other-" + i, "u", "GET", "/x"));
      }
      stage.limiter().settle(first, 8);
      assertThat(stage.remaining(REQUEST)).as(limit.toString()).isEqualTo(3);
    }
  }

  @Test
  default void a_refund_after_a_reload_gives_back_permits_not_units() {
    Stage stage = stage(tree(caller(tokenBucket("10/min"))));
    Decision first = stage.send(REQUEST.withCost(6));
    stage.reload(tree(caller(tokenBucket("100/min"))));
    assertThat(stage.remaining(REQUEST)).isEqualTo(94);
    stage.limiter().refund(first);
    assertThat(stage.remaining(REQUEST)).isEqualTo(100);
  }

  @Test
  default void a_refund_before_the_first_decision_after_a_reload_counts_by_the_old_limit() {
    Stage stage = stage(tree(caller(tokenBucket("10/min"))));
    Decision first = stage.send(REQUEST.withCost(6));
    stage.send(REQUEST.withCost(2));
    stage.reload(tree(caller(tokenBucket("5/min"))));
    stage.limiter().refund(first);
    assertThat(stage.remaining(REQUEST)).isEqualTo(3);
  }

  @Test
  default void refused_blocked_and_free_requests_have_nothing_to_give_back() {
    Stage stage = stage(tree(caller(fixedWindow("1/h"))));
    Decision free = stage.send(REQUEST.withCost(0));
    stage.send(REQUEST);
    Decision refused = stage.send(REQUEST);
    assertThat(stage.limiter().refund(refused)).isFalse();
    assertThat(stage.limiter().refund(free)).isTrue();
    assertThat(stage.remaining(REQUEST)).isZero();
  }

  @Test
  default void a_free_request_that_turns_out_to_cost_something_is_charged() {
    for (RateLimit limit : tenOfEach().toList()) {
      Stage stage = stage(tree(caller(limit)));
      stage.limiter().settle(stage.send(REQUEST.withCost(0)), 4);
      assertThat(stage.remaining(REQUEST)).as(limit.toString()).isEqualTo(6);
    }
  }

  @Test
  default void a_refund_leaves_permits_in_flight_held() {
    Quota one = Quota.of(fixedWindow("10/h")).withConcurrency(1);
    Stage stage = stage(tree(caller(one)));
    Decision running = stage.send(REQUEST);
    stage.limiter().refund(running);
    assertThat(stage.send(REQUEST).allowed()).isFalse();
    stage.release(running);
    assertThat(stage.send(REQUEST).allowed()).isTrue();
  }

  @Test
  default void a_receipt_is_released_and_settled_once_though_its_decision_is_used_again() {
    Quota two = Quota.of(fixedWindow("10/h")).withConcurrency(2);
    Stage stage = stage(tree(caller(two)));
    Decision decision = new Decision();
    stage.limiter().decide(REQUEST.withCost(3), decision);
    Receipt receipt = stage.limiter().keep(decision);
    stage.limiter().decide(REQUEST, decision);
    assertThat(decision.allowed()).isTrue();
    assertThat(stage.send(REQUEST).allowed()).isFalse();
    stage.limiter().release(receipt);
    stage.limiter().release(receipt);
    assertThat(stage.limiter().settle(receipt, 0)).isTrue();
    assertThat(stage.limiter().settle(receipt, 0)).isFalse();
    assertThat(stage.allowed(REQUEST, 3)).isEqualTo(1);
    assertThat(stage.limiter().peek(Layer.CALLER, "app").get(0))
        .satisfies(state -> assertThat(state.remainingPermits()).isEqualTo(8));
  }

  @Test
  default void only_what_was_allowed_can_be_kept() {
    Stage stage = stage(tree(caller(fixedWindow("1/h"))));
    Decision first = stage.send(REQUEST);
    stage.limiter().refund(first);
    assertThatThrownBy(() -> stage.limiter().keep(first)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> stage.limiter().settle(first, 1_000_000_001))
        .hasMessage("a cost of 1000000001; settle for 0 to 1000000000");
  }
}
