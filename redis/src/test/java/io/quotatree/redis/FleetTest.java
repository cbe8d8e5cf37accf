package io.quotatree.redis;

import static io.quotatree.redis.Eventually.eventually;
import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.Certainty;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.Ticker;
import io.quotatree.testkit.store.FaultProxy;
import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisServer;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many gateways live, as each of them sees it, in a real store. */
final class FleetTest {

  private static final String KEY = "qt:1:{node}:fleet";

  private final RedisServer server = RedisServer.start();

  @AfterEach
  void end() {
    // A test that failed may have left it frozen.
    server.thaw();
    assertThat(server.keysWithoutEnd()).isEmpty();
    server.close();
  }

  private static RedisLedger join(String uri) {
    return RedisLedger.builder()
        .uri(uri)
        .callTimeout(Duration.ofMillis(200))
        .connectTimeout(Duration.ofSeconds(5))
        .local(new MemoryLedger())
        .open();
  }

  private static void allKnow(int gateways, RedisLedger... ledgers) {
    for (RedisLedger ledger : ledgers) {
      eventually("they are " + gateways, () -> ledger.gateways() == gateways);
    }
  }

  private long granted(RedisLedger ledger) {
    Limiter limiter =
        new Limiter(
            Policy.compile(tree(caller(fixedWindow("12/year"))), "gw"), ledger, Ticker.system());
    return IntStream.range(0, 20)
        .filter(
            i -> {
              Decision decision = new Decision();
              limiter.decide(Request.of("app", "u1", "GET", "/x"), decision);
              assertThat(decision.certainty()).isEqualTo(Certainty.FALLBACK);
              return decision.allowed();
            })
        .count();
  }

  @Test
  void gateways_that_join_and_leave_are_known_and_shares_follow() {
    try (RedisLedger one = join(server.uri());
        RedisLedger two = join(server.uri())) {
      RedisLedger three = join(server.uri());
      allKnow(3, one, two, three);
      three.close();
      allKnow(2, one, two);
      try (RedisConnection operator = server.connection()) {
        assertThat(operator.ask("ZCARD", KEY)).isEqualTo(2L);
      }
      server.freeze();
      assertThat(granted(one)).isEqualTo(6);
      assertThat(one.gateways()).isEqualTo(2);
      server.thaw();
    }
  }

  @Test
  void a_gateway_that_dies_is_gone_after_three_seconds_of_the_stores_time() {
    try (FaultProxy proxy = FaultProxy.before(server.port());
        RedisLedger one = join(server.uri())) {
      RedisLedger dying = join(proxy.uri());
      allKnow(2, one, dying);
      // From here on nothing of it arrives, as if its machine were off.
      proxy.use(FaultProxy.Way.BLACK_HOLE);
      try (RedisConnection operator = server.connection()) {
        // What is told of its life is when it ends: at most three seconds from now.
        eventually("the first is alone", () -> Long.valueOf(1).equals(operator.ask("ZCARD", KEY)));
      }
      allKnow(1, one);
      assertThat(dying.gateways()).isEqualTo(2);
      dying.close();
    }
  }

  @Test
  void what_else_is_at_the_fleets_key_goes_and_gateways_of_a_wrong_clock_do_not_stay() {
    try (RedisConnection operator = server.connection()) {
      operator.ask("SET", KEY, "planted");
      try (RedisLedger one = join(server.uri())) {
        eventually("it is there", () -> "zset".equals(operator.ask("TYPE", KEY)));
        operator.ask("ZADD", KEY, "9000000000000000", "of a clock that was set back");
        eventually("it is gone", () -> Long.valueOf(1).equals(operator.ask("ZCARD", KEY)));
        assertThat(one.gateways()).isOne();
      }
    }
  }
}
