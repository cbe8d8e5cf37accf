package io.quotatree.redis;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.node;
import static io.quotatree.testkit.Trees.tree;
import static io.quotatree.testkit.Trees.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.policy.Request;
import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Slots of a real cluster that are moved while they are asked. */
final class MovedSlotsTest extends ClusterGateways {

  /** Where a limit's counter is, and another place for it. */
  private record Move(int slot, RedisServer from, RedisServer to) {

    static Move of(String tag) {
      int slot = cluster.slotOf("{" + tag + "}");
      RedisServer from = cluster.masterOf(slot);
      return new Move(
          slot, from, cluster.masters().stream().filter(m -> m != from).findFirst().orElseThrow());
    }

    void there() {
      cluster.beginMove(slot, from, to);
      cluster.endMove(slot, from, to);
    }

    void back() {
      cluster.beginMove(slot, to, from);
      cluster.endMove(slot, to, from);
    }
  }

  @Test
  void B27_a_slot_that_is_moved_under_load_costs_nobody_an_error_and_no_grant_too_many() {
    Limiter limiter =
        gateway(
            tree(
                node(fixedWindow("100000/year")),
                caller(fixedWindow("400/year")),
                user(fixedWindow("100000/year"))));
    AtomicBoolean isMoved = new AtomicBoolean();
    ExecutorService senders = Executors.newFixedThreadPool(4);
    try {
      List<CompletableFuture<List<Outcome>>> sent =
          IntStream.range(0, 4)
              .mapToObj(
                  i -> CompletableFuture.supplyAsync(() -> outcomes(limiter, i, isMoved), senders))
              .toList();
      for (String tag : List.of("app", "node")) {
        Move move = Move.of(tag);
        move.there();
        move.back();
      }
      isMoved.set(true);
      List<Outcome> all = sent.stream().flatMap(outcomes -> outcomes.join().stream()).toList();
      assertThat(all).containsOnly(Outcome.ALLOWED, Outcome.REFUSED);
      assertThat(all.stream().filter(outcome -> outcome == Outcome.ALLOWED)).hasSize(400);
    } finally {
      senders.shutdown();
    }
  }

  /** At least 150, and until the moves are over; users come and go, so keys are missing. */
  private static List<Outcome> outcomes(Limiter limiter, int sender, AtomicBoolean isOver) {
    List<Outcome> outcomes = new ArrayList<>();
    while (outcomes.size() < 150 || !isOver.get()) {
      String user = "u" + sender + "-" + outcomes.size() / 10;
      outcomes.add(send(limiter, Request.of("app", user, "GET", "/x")).outcome());
    }
    return outcomes;
  }

  @Test
  void a_slot_that_is_half_moved_is_decided_key_by_key() {
    Limiter limiter = gateway(FOUR);
    assertThat(allowed(limiter, REQUEST, 2)).isEqualTo(2);
    Move move = Move.of("app");
    cluster.beginMove(move.slot, move.from, move.to);
    try {
      // The caller's counter is here; that of a user who comes now is not, and begins there.
      Request late = Request.of("app", "u2", "GET", "/x");
      assertThat(allowed(limiter, late, 9)).isEqualTo(5);
      Decision refused = send(limiter, late);
      assertThat(refused.layer()).contains(Layer.USER);
      cluster.moveKeys(move.slot, move.from, move.to);
      assertThat(allowed(limiter, REQUEST, 9)).isEqualTo(3);
      Eventually.eventually("charges are back", () -> used(limiter, Layer.CALLER, "app") == 10);
    } finally {
      cluster.endMove(move.slot, move.from, move.to);
      move.back();
    }
    Eventually.eventually("charges are back", () -> used(limiter, Layer.NODE, "node") == 10);
    assertThat(used(limiter, Layer.USER, "app/u2")).isEqualTo(5);
  }

  @Test
  void a_script_that_is_missing_where_a_slot_is_moved_to_is_sent_along() {
    Limiter limiter = gateway(FOUR);
    assertThat(allowed(limiter, REQUEST, 1)).isEqualTo(1);
    Move move = Move.of("app");
    try (RedisConnection target = move.to.connection()) {
      target.ask("SCRIPT", "FLUSH");
    }
    cluster.beginMove(move.slot, move.from, move.to);
    try {
      assertThat(allowed(limiter, Request.of("app", "u2", "GET", "/x"), 9)).isEqualTo(5);
    } finally {
      cluster.endMove(move.slot, move.from, move.to);
      move.back();
    }
  }
}
