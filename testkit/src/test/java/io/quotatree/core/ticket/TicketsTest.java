package io.quotatree.core.ticket;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.Request;
import io.quotatree.testkit.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class TicketsTest {

  private static final Request REQUEST = Request.of("app", "u", "GET", "/x");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Stage stage =
      new Stage(
          tree(caller(Quota.of(fixedWindow("100/h")).withConcurrency(2))),
          ticker -> new MemoryLedger());
  private final Tickets tickets = stage.limiter().tickets(1_000);

  private String issue(Tickets by, Request request, Duration hold) {
    Decision decision = stage.send(request);
    assertThat(decision.allowed()).isTrue();
    return by.issue(stage.limiter().keep(decision), hold);
  }

  private String issue(Request request) {
    return issue(tickets, request, MINUTE);
  }

  private boolean admits() {
    tickets.expire();
    return stage.send(REQUEST.withCost(0)).allowed();
  }

  private long used() {
    return 100
        - stage
            .limiter()
            .peek(io.quotatree.core.limit.Layer.CALLER, "app")
            .get(0)
            .remainingPermits();
  }

  @Test
  void G4_a_permit_that_nobody_releases_comes_back_when_its_hold_is_over() {
    issue(REQUEST);
    String other = issue(REQUEST);
    stage.advanceMillis(59_999);
    assertThat(admits()).isFalse();
    stage.advanceMillis(1);
    assertThat(admits()).isTrue();
    assertThat(tickets.release(other)).isFalse();
    assertThat(tickets.holding()).isZero();
  }

  @Test
  void B37_a_permit_is_given_back_once() {
    String first = issue(REQUEST);
    issue(REQUEST);
    assertThat(tickets.release(first)).isTrue();
    for (int i = 0; i < 100; i++) {
      assertThat(tickets.release(first)).isFalse();
    }
    assertThat(tickets.unknown()).isEqualTo(100);
    assertThat(stage.allowed(REQUEST, 4)).isEqualTo(1);
  }

  @Test
  void a_renewed_hold_begins_anew_and_is_never_cut_short() {
    String id = issue(REQUEST);
    issue(tickets, REQUEST, Tickets.LONGEST_HOLD);
    for (int i = 0; i < 30; i++) {
      stage.advanceMillis(59_000);
      assertThat(tickets.renew(id, MINUTE)).isEqualTo(60_000_000);
    }
    assertThat(tickets.renew(id, Duration.ofSeconds(1))).isEqualTo(60_000_000);
    stage.advanceMillis(59_999);
    assertThat(admits()).isFalse();
    stage.advanceMillis(1);
    assertThat(admits()).isTrue();
    assertThat(tickets.renew(id, MINUTE)).isNegative();
  }

  @Test
  void a_decision_is_settled_once_before_or_after_its_release() {
    String first = issue(REQUEST.withCost(10));
    String second = issue(REQUEST.withCost(20));
    assertThat(tickets.settle(first, 3)).isTrue();
    assertThat(tickets.settle(first, 0)).isFalse();
    assertThat(tickets.release(first)).isTrue();
    tickets.release(second);
    assertThat(tickets.settle(second, 50)).isTrue();
    assertThat(tickets.settle(second, 50)).isFalse();
    assertThat(used()).isEqualTo(53);
    assertThat(tickets.live()).isZero();
  }

  @Test
  void an_id_lives_ten_minutes_and_is_forgotten() {
    String early = issue(REQUEST.withCost(10));
    stage.advanceMillis(599_999);
    assertThat(tickets.settle(early, 1)).isTrue();
    stage.advanceMillis(1_000);
    String late = issue(REQUEST.withCost(10));
    assertThat(tickets.live()).isEqualTo(1);
    stage.advanceMillis(600_000);
    assertThat(tickets.live()).isZero();
    assertThat(tickets.settle(late, 1)).isFalse();
  }

  @Test
  void an_id_lives_as_long_as_its_hold() {
    String id = issue(tickets, REQUEST, Tickets.LONGEST_HOLD);
    stage.advanceMillis(3_599_999);
    assertThat(tickets.release(id)).isTrue();
    assertThat(tickets.settle(id, 0)).isTrue();
    assertThat(tickets.live()).isZero();
  }

  @Test
  void ids_are_not_to_be_guessed_and_look_alike_ones_are_unknown() {
    Set<String> ids = new HashSet<>();
    Set<Character> firsts = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      String id = Tickets.unused();
      assertThat(id).matches("[0-9a-f]{32}");
      ids.add(id);
      firsts.add(id.charAt(0));
    }
    assertThat(ids).hasSize(1_000);
    assertThat(firsts).hasSizeGreaterThan(10);
    String id = issue(REQUEST);
    for (String other : List.of("", id + "0", id.toUpperCase(java.util.Locale.ROOT) + "A", "x")) {
      assertThat(tickets.release(other)).isFalse();
    }
    assertThat(tickets.release(Tickets.unused())).isFalse();
    assertThat(tickets.release(id)).isTrue();
  }

  @Test
  void above_the_bound_ids_without_permits_give_way_the_longest_spare_first() {
    Tickets few = stage.limiter().tickets(3);
    String holder = issue(few, REQUEST, MINUTE);
    String first = issue(few, REQUEST.withCost(0), MINUTE);
    String second = issue(few, REQUEST.withCost(0), MINUTE);
    String third = issue(few, REQUEST.withCost(0), MINUTE);
    assertThat(few.live()).isEqualTo(3);
    assertThat(few.forgotten()).isEqualTo(1);
    assertThat(few.settle(first, 1)).isFalse();
    assertThat(few.settle(second, 1)).isTrue();
    assertThat(few.settle(third, 1)).isTrue();
    assertThat(few.release(holder)).isTrue();
  }

  @Test
  void where_all_ids_hold_permits_there_is_no_room_until_one_comes_back() {
    Tickets few = stage.limiter().tickets(2);
    assertThat(few.hasRoom(2)).isTrue();
    assertThat(few.hasRoom(3)).isFalse();
    String first = issue(few, REQUEST, MINUTE);
    issue(few, REQUEST, Duration.ofMinutes(2));
    assertThat(few.hasRoom(1)).isFalse();
    few.release(first);
    assertThat(few.hasRoom(1)).isTrue();
    stage.advanceMillis(120_000);
    assertThat(few.hasRoom(2)).isTrue();
  }

  @Test
  void a_hold_out_of_bounds_is_a_mistake() {
    String id = issue(REQUEST);
    assertThatThrownBy(() -> tickets.renew(id, Duration.ofMinutes(61)))
        .hasMessage("a hold of PT1H1M; give 1 ms to PT1H");
    assertThatThrownBy(() -> tickets.settle(id, -1))
        .hasMessage("a cost of -1; settle for 0 to 1000000000");
    assertThat(tickets.release(id)).isTrue();
  }

  @Test
  void threads_that_release_the_same_ids_give_each_permit_back_once() throws Exception {
    Stage many =
        new Stage(
            tree(caller(Quota.of(fixedWindow("1000000/h")).withConcurrency(500))),
            ticker -> new MemoryLedger());
    Tickets shared = many.limiter().tickets(10_000);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      ids.add(shared.issue(many.limiter().keep(many.send(REQUEST)), MINUTE));
    }
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Long>> released = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        released.add(threads.submit(() -> ids.stream().filter(shared::release).count()));
      }
      long sum = 0;
      for (Future<Long> one : released) {
        sum += one.get();
      }
      assertThat(sum).isEqualTo(500);
    } finally {
      threads.shutdownNow();
    }
    assertThat(many.allowed(REQUEST, 600)).isEqualTo(500);
  }
}
