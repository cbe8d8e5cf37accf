package io.quotatree.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.ticket.FleetTickets;
import io.quotatree.core.time.Ticker;
import io.quotatree.testkit.store.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RedisTicketsTest {

  private static final Duration HOLD = Duration.ofHours(1);

  private final RedisServer server = RedisServer.start();
  private final RedisLedger one = open();
  private final RedisLedger two = open();

  private RedisLedger open() {
    return RedisLedger.builder().uri(server.uri()).callTimeout(Duration.ofSeconds(10)).open();
  }

  @AfterEach
  void stop() {
    one.close();
    two.close();
    assertThat(server.keysWithoutEnd()).isEmpty();
    server.close();
  }

  private static Limiter limiter(RedisLedger ledger) {
    Quota quota = Quota.of(Allowance.UNLIMITED).withConcurrency(10);
    QuotaTree tree = QuotaTree.empty().withCaller(new CallerLines(quota, List.of()));
    return new Limiter(Policy.compile(tree, "node"), ledger, Ticker.system());
  }

  private static Receipt decided(Limiter limiter) {
    Decision decision = new Decision();
    limiter.decide(Request.of("app-a", "u", "GET", "/"), decision);
    assertThat(decision.allowed()).isTrue();
    return limiter.keep(decision);
  }

  private static String id(FleetTickets tickets, Limiter limiter) {
    FleetTickets.Issued issued = tickets.issue(decided(limiter), HOLD);
    Object unused = issued.known().toCompletableFuture().join();
    return issued.text();
  }

  @Test
  void a_gateway_goes_on_holding_its_own_permits_when_it_releases_anothers() {
    Limiter first = limiter(one);
    Limiter second = limiter(two);
    FleetTickets atOne = new FleetTickets(first.tickets(10), Optional.of(one.tickets()), () -> {});
    FleetTickets atTwo = new FleetTickets(second.tickets(10), Optional.of(two.tickets()), () -> {});
    // Both are the first permit of their gateway, and have the same number there.
    String ofOne = id(atOne, first);
    String ofTwo = id(atTwo, second);
    assertThat(atTwo.release(ofOne).toCompletableFuture().join()).isTrue();
    assertThat(two.holding()).isEqualTo(1);
    assertThat(atTwo.release(ofTwo).toCompletableFuture().join()).isTrue();
    assertThat(two.holding()).isZero();
    assertThat(atOne.release(ofOne).toCompletableFuture().join()).isFalse();
    assertThat(one.holding()).isZero();
  }

  @Test
  void an_id_lives_ten_minutes_or_as_long_as_its_hold() {
    Limiter limiter = limiter(one);
    FleetTickets tickets =
        new FleetTickets(limiter.tickets(10), Optional.of(one.tickets()), () -> {});
    String id = id(tickets, limiter);
    assertThat(ends(id)).isBetween(HOLD.toMillis() - 60_000, HOLD.toMillis());
    FleetTickets.Issued brief = tickets.issue(decided(limiter), Duration.ofSeconds(1));
    Object unused = brief.known().toCompletableFuture().join();
    assertThat(ends(brief.text())).isBetween(540_000L, 600_000L);
    assertThat(tickets.release(id).toCompletableFuture().join()).isTrue();
    assertThat(tickets.settle(id, 0).toCompletableFuture().join()).isTrue();
    assertThat(server.keys()).doesNotContain("qt:1:{" + id + "}:decision");
  }

  private long ends(String id) {
    try (var operator = server.connection()) {
      return Long.parseLong(String.valueOf(operator.ask("PTTL", "qt:1:{" + id + "}:decision")));
    }
  }
}
