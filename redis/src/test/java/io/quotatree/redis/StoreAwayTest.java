package io.quotatree.redis;

import static io.quotatree.redis.Eventually.eventually;
import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.api;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static io.quotatree.testkit.Trees.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Certainty;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.OnFailure;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.ManualTicker;
import io.quotatree.testkit.store.FaultProxy;
import io.quotatree.testkit.store.RedisConnection;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Gateways of a real store that goes away and comes back. */
final class StoreAwayTest extends StoreGateways {

  static Stream<Arguments> limits() {
    return Stream.of(
            fixedWindow("90/year"),
            slidingWindow("90/year"),
            slidingLog("90/year"),
            tokenBucket("90/year"))
        .map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void a_frozen_store_lets_no_fleet_over_the_bound_and_is_charged_on_its_return(RateLimit limit) {
    List<Limiter> fleet = fleet(3, tree(caller(limit)));
    long before = allowed(fleet, 30);
    assertThat(before).isEqualTo(30);
    server.freeze();
    long meanwhile = allowed(fleet, 600);
    // Each began with its share of what the store told it last: 28 to 30 of 90.
    assertThat(meanwhile).isBetween(60L, 63L);
    server.thaw();
    fleet.forEach(StoreAwayTest::untilAsked);
    assertThat(allowed(fleet, 300)).isZero();
    long used = used(fleet.get(0), Layer.CALLER, "app");
    assertThat(used).isEqualTo(90);
  }

  @Test
  void a_killed_store_lets_no_fleet_over_the_bound() {
    List<Limiter> fleet = fleet(3, tree(caller(fixedWindow("90/year"))));
    long before = allowed(fleet, 60);
    server.kill();
    long meanwhile = allowed(fleet, 600);
    server.restart();
    fleet.forEach(StoreAwayTest::untilAsked);
    long after = allowed(fleet, 600);
    assertThat(before).isEqualTo(60);
    assertThat(meanwhile).isBetween(30L, 32L);
    // What the store forgot may be granted once more, and no more than that.
    assertThat(before + meanwhile + after).isLessThanOrEqualTo(2 * 90);
  }

  @Test
  void more_gateways_than_permits_grant_one_each() {
    List<Limiter> fleet = fleet(4, tree(caller(fixedWindow("2/year"))));
    server.freeze();
    assertThat(allowed(fleet, 40)).isEqualTo(4);
    server.thaw();
  }

  @Test
  void decisions_without_the_store_say_so_and_refuse_as_others_do() {
    Limiter limiter = gateway(tree(caller(fixedWindow("5/h"))), ledger(server.uri(), PATIENT));
    assertThat(send(limiter).certainty()).isEqualTo(Certainty.EXACT);
    server.kill();
    eventually("it is noticed", () -> send(limiter).certainty() == Certainty.FALLBACK);
    assertThat(allowed(limiter, 9)).isLessThanOrEqualTo(4);
    Decision refused = send(limiter);
    assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(refused.layer()).contains(Layer.CALLER);
    assertThat(refused.told().orElseThrow().text()).isEqualTo("5/h");
    assertThat(refused.told().orElseThrow().remainingPermits()).isZero();
    assertThat(refused.retryAfter().seconds()).isBetween(1L, 3_600L);
    server.restart();
  }

  @Test
  void quotas_of_one_request_fall_each_by_itself() {
    Quota open = Quota.of(fixedWindow("1/year")).withOnFailure(OnFailure.OPEN);
    Quota closed = Quota.of(fixedWindow("9/year")).withOnFailure(OnFailure.CLOSED);
    RedisLedger ledger = ledger(server.uri(), HASTY);
    Limiter limiter =
        gateway(tree(caller(open), user(fixedWindow("3/year")), api("/closed", closed)), ledger);
    server.freeze();
    assertThat(allowed(limiter, 9)).isEqualTo(3);
    Decision decision = new Decision();
    limiter.decide(Request.of("app", "u1", "GET", "/closed"), decision);
    assertThat(decision.outcome()).isEqualTo(Outcome.UNAVAILABLE);
    assertThat(decision.retryAfter().seconds()).isEqualTo(1);
    assertThat(decision.certainty()).isEqualTo(Certainty.FALLBACK);
    server.thaw();
  }

  @Test
  void a_gateway_that_starts_without_its_store_enforces_the_whole_limit() {
    server.kill();
    Limiter limiter = gateway(tree(caller(fixedWindow("5/year"))), ledger(server.uri(), HASTY));
    assertThat(allowed(limiter, 9)).isEqualTo(5);
    server.restart();
    untilAsked(limiter);
    assertThat(allowed(limiter, 9)).isZero();
  }

  @Test
  void permits_in_flight_of_the_failure_are_known_to_the_store_on_its_return() {
    QuotaTree tree = tree(caller(Quota.of(Allowance.UNLIMITED).withConcurrency(3)));
    RedisLedger ledger = ledger(server.uri(), HASTY);
    Limiter limiter = gateway(tree, ledger);
    server.freeze();
    List<Decision> held = IntStream.range(0, 5).mapToObj(i -> send(limiter)).toList();
    assertThat(held.stream().filter(Decision::allowed)).hasSize(3);
    limiter.release(held.get(0));
    Receipt kept = limiter.keep(held.get(1));
    server.thaw();
    eventually("the store is asked", () -> ledger.state() == StoreState.UP);
    String key = "qt:1:{app}:caller:app:concurrency-requests";
    try (RedisConnection connection = server.connection()) {
      eventually("it was told", () -> Long.valueOf(2).equals(connection.ask("ZCARD", key)));
      assertThat(allowed(limiter, 1)).isOne();
      // On a busy machine its answer may be late, and is told as those before.
      eventually("it is held", () -> Long.valueOf(3).equals(connection.ask("ZCARD", key)));
      limiter.release(kept);
      limiter.release(held.get(2));
      eventually("they ended", () -> Long.valueOf(1).equals(connection.ask("ZCARD", key)));
    }
  }

  @Test
  void what_is_settled_after_the_failure_is_charged_to_the_store() {
    RedisLedger ledger = ledger(server.uri(), HASTY);
    Limiter limiter = gateway(tree(caller(fixedWindow("50/year"))), ledger);
    server.freeze();
    Receipt meanwhile = limiter.keep(send(limiter));
    Receipt before = limiter.keep(send(limiter));
    limiter.settle(meanwhile, 10);
    server.thaw();
    untilAsked(limiter);
    long asked = used(limiter, Layer.CALLER, "app");
    limiter.settle(before, 21);
    assertThat(used(limiter, Layer.CALLER, "app")).isEqualTo(asked + 20);
    assertThat(asked).isGreaterThanOrEqualTo(11);
  }

  @Test
  void what_is_a_gateways_alone_is_counted_once_whoever_decides() {
    QuotaTree tree =
        QuotaTree.empty()
            .withNode(
                new NodeLines(
                    Quota.of(fixedWindow("100/year")), Quota.of(fixedWindow("5/year")), List.of()));
    Limiter limiter = gateway(tree, ledger(server.uri(), HASTY));
    assertThat(allowed(limiter, 2)).isEqualTo(2);
    server.freeze();
    assertThat(allowed(limiter, 9)).isEqualTo(3);
    server.thaw();
    assertThat(used(limiter, Layer.NODE, "node@gw")).isEqualTo(5);
  }

  @Test
  void B01_gateways_whose_clocks_differ_refill_nothing() {
    QuotaTree tree = tree(caller(tokenBucket("10/year")));
    Limiter right = gateway(tree, ledger(server.uri(), PATIENT));
    ManualTicker hourBehind = new ManualTicker(Instant.now().minusSeconds(3_600));
    Limiter behind =
        new Limiter(Policy.compile(tree, "gw"), ledger(server.uri(), PATIENT), hourBehind);
    assertThat(allowed(right, 2)).isEqualTo(2);
    assertThat(allowed(behind, 6)).isEqualTo(6);
    assertThat(allowed(right, 10) + allowed(behind, 8)).isEqualTo(2);
  }

  @Test
  void B21_a_connection_that_is_cut_after_the_write_leaves_no_key_without_an_end() {
    try (FaultProxy proxy = FaultProxy.before(server.port());
        RedisConnection operator = server.connection()) {
      Limiter limiter = gateway(tree(caller(fixedWindow("3/2s"))), ledger(proxy.uri(), HASTY));
      proxy.use(FaultProxy.Way.LOSE_REPLIES);
      // The revision of the quotas is asked for first; it is lost as all else is.
      allowed(limiter, 1);
      proxy.cut();
      proxy.use(FaultProxy.Way.PASS);
      untilAsked(limiter);
      String key = "qt:1:{app}:caller:app:fixed_window-requests-2000-nostagger";
      assertThat((Long) operator.ask("PTTL", key)).isBetween(1L, 3_001L);
    }
  }

  @Test
  void B25_a_store_that_was_started_again_has_the_scripts_at_once() {
    Limiter limiter = gateway(tree(caller(fixedWindow("5/h"))), ledger(server.uri(), PATIENT));
    assertThat(allowed(limiter, 2)).isEqualTo(2);
    server.kill();
    server.restart();
    int allowed = untilAsked(limiter);
    assertThat(allowed).isBetween(1, 3 + 5);
    assertThat(send(limiter).certainty()).isEqualTo(Certainty.EXACT);
  }
}
