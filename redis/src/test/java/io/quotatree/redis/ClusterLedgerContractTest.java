package io.quotatree.redis;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.api;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.callerLine;
import static io.quotatree.testkit.Trees.node;
import static io.quotatree.testkit.Trees.tree;
import static io.quotatree.testkit.Trees.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Wait;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.ManualTicker;
import io.quotatree.testkit.LedgerContract;
import io.quotatree.testkit.Stage;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The shared ledger held to the contract of all ledgers, on a real cluster: each decision is over
 * several slots. The cases below are those of the contract that one slot alone would not show: what
 * others charged for a refused request is given back exactly.
 */
final class ClusterLedgerContractTest extends LedgerContract {

  private static final Request REQUEST = Request.of("app", "u", "GET", "/x");

  private static final Quota TWO = Quota.of(fixedWindow("2/min"));

  private static VirtualLedgers ledgers;

  @BeforeAll
  static void start() {
    ledgers = VirtualLedgers.onCluster();
  }

  @AfterAll
  static void stop() {
    ledgers.end();
    ledgers.close();
  }

  @Override
  public int many(int wanted) {
    return wanted / 50;
  }

  @Override
  public Ledger emptyLedger(ManualTicker ticker) {
    return ledgers.empty();
  }

  private static List<Long> used(Stage stage, Layer layer, String subject) {
    return stage.limiter().peek(layer, subject).stream().map(LimitState::usedPermits).toList();
  }

  @Test
  void B12_what_is_blocked_in_one_slot_charges_nothing_in_the_others() {
    Quota blocked = Quota.of(Allowance.BLOCKED);
    Stage stage =
        stage(
            tree(
                node(tokenBucket("9/min")),
                caller(slidingLog("9/min")),
                callerLine("bad", blocked),
                api("/x", slidingWindow("9/min")),
                api("/never", blocked)));
    for (Request request :
        List.of(
            Request.of("bad", "u", "GET", "/x"),
            Request.of("app", "u", "GET", "/never"),
            Request.of("bad", "u", "GET", "/never"))) {
      Decision refused = stage.send(request);
      assertThat(refused.allowed()).isFalse();
      assertThat(refused.retryAfter()).isEqualTo(Wait.NEVER);
    }
    assertThat(used(stage, Layer.NODE, "node")).containsExactly(0L);
    assertThat(used(stage, Layer.CALLER, "app")).containsExactly(0L);
    assertThat(used(stage, Layer.API, "/x")).containsExactly(0L);
  }

  @Test
  void B46_what_a_caller_is_called_decides_the_slot_and_no_more() {
    Stage stage =
        stage(tree(node(fixedWindow("900/min")), caller(fixedWindow("5/min")), user(TWO)));
    for (String caller : List.of("a:b", "a", "", "{a}", "{}", "}{", "a\0", "a}", "\u00e9", "*")) {
      for (String user : List.of("c", "b:c", "{a}", "", "u\nv")) {
        assertThat(stage.allowed(Request.of(caller, user, "GET", "/x"), 1))
            .as(caller + " and " + user)
            .isOne();
      }
      assertThat(stage.allowed(Request.of(caller, "another", "GET", "/x"), 1)).isZero();
    }
    assertThat(used(stage, Layer.NODE, "node")).containsExactly(50L);
  }

  @Test
  void B57_whoever_waits_for_the_slowest_slot_is_granted_and_not_a_microsecond_before() {
    Stage stage =
        stage(
            tree(
                node(slidingLog("7/11s")),
                caller(tokenBucket("11/17s", 3)),
                user(slidingWindow("5/13s", 13)),
                api("/x", fixedWindow("3/5s"))));
    SplittableRandom random = new SplittableRandom(11);
    int refusals = 0;
    for (int i = 0; i < 200; i++) {
      Decision decision = stage.send(REQUEST);
      if (decision.allowed()) {
        stage.advanceMicros(random.nextInt(900_000));
        continue;
      }
      refusals++;
      stage.advanceMicros(decision.retryAfter().micros() - 1);
      assertThat(stage.send(REQUEST).retryAfter().micros()).isEqualTo(1);
      stage.advanceMicros(1);
      assertThat(stage.send(REQUEST).allowed()).isTrue();
    }
    assertThat(refusals).isGreaterThan(20);
  }

  @Test
  void B62_periods_that_count_apart_are_given_back_apart() {
    Stage stage =
        stage(
            tree(
                node(fixedWindow("6/min"), slidingLog("40/h")),
                caller(fixedWindow("5/min"), tokenBucket("1000000/h"))));
    int allowed = 0;
    for (int minute = 0; minute < 12; minute++) {
      allowed += stage.allowed(REQUEST, 8);
      stage.advanceMillis(60_000);
    }
    // The caller's five a minute, of which the node's forty an hour leave eight minutes.
    assertThat(allowed).isEqualTo(40);
    assertThat(used(stage, Layer.NODE, "node")).containsExactly(0L, 40L);
  }

  @Test
  void B66_a_reload_of_one_slots_limit_refills_none_in_the_others() {
    QuotaTree five = tree(node(fixedWindow("90/h")), caller(fixedWindow("10/h")), api("/y", TWO));
    QuotaTree six =
        tree(
            node(fixedWindow("90/h")),
            caller(fixedWindow("10/h")),
            api("/y", Quota.of(fixedWindow("3/min"))));
    Stage stage = stage(five);
    int allowed = 0;
    for (int i = 0; i < 60; i++) {
      allowed += stage.allowed(REQUEST, 1);
      stage.reload(i % 2 == 0 ? six : five);
    }
    assertThat(allowed).isEqualTo(10);
    assertThat(used(stage, Layer.NODE, "node")).containsExactly(10L);
  }

  @Test
  void B67_what_is_given_back_after_a_change_is_what_was_charged_by_it() {
    Stage stage = stage(tree(node(tokenBucket("100/h")), caller(tokenBucket("10/h"))));
    assertThat(stage.allowed(REQUEST, 15)).isEqualTo(10);
    for (String changed : List.of("30/h", "7200/h", "20/h")) {
      stage.reload(tree(node(tokenBucket(changed)), caller(tokenBucket("10/h"))));
      assertThat(stage.allowed(REQUEST, 5)).isZero();
      assertThat(used(stage, Layer.NODE, "node")).as(changed).containsExactly(10L);
    }
    stage.reload(tree(node(tokenBucket("20/h")), caller(tokenBucket("100/h"))));
    assertThat(stage.allowed(REQUEST, 50)).isEqualTo(10);
  }
}
