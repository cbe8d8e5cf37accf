package io.quotatree.redis;

import static io.quotatree.redis.Eventually.eventually;
import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.api;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.node;
import static io.quotatree.testkit.Trees.tree;
import static io.quotatree.testkit.Trees.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.OnFailure;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.Ticker;
import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A real store by its own clock, and what happens to it. */
class StoreFaultsTest {

  private static final Request REQUEST = Request.of("app", "u1", "GET", "/x");
  private static final QuotaTree FIVE = tree(caller(fixedWindow("5/year")));

  private final RedisServer server = RedisServer.start();
  private final RedisLedger ledger = ledger(Duration.ofSeconds(20));

  private RedisLedger ledger(Duration callTimeout) {
    return RedisLedger.builder()
        .uri(server.uri())
        .callTimeout(callTimeout)
        .connectTimeout(Duration.ofSeconds(20))
        .open();
  }

  private Limiter gateway(QuotaTree tree) {
    return gateway(tree, ledger);
  }

  private static Limiter gateway(QuotaTree tree, RedisLedger of) {
    return new Limiter(Policy.compile(tree, "gw"), of, Ticker.system());
  }

  private static Decision send(Limiter limiter, Request request) {
    Decision decision = new Decision();
    limiter.decide(request, decision);
    return decision;
  }

  private static long allowed(Limiter limiter, int times) {
    return IntStream.range(0, times).filter(i -> send(limiter, REQUEST).allowed()).count();
  }

  @AfterEach
  void end() {
    ledger.close();
    assertThat(server.keysWithoutEnd()).isEmpty();
    server.close();
  }

  @Test
  void keys_read_from_root_to_leaf_and_no_name_decides_the_slot() {
    Limiter limiter =
        gateway(
            tree(
                node(fixedWindow("9/min")),
                caller(tokenBucket("9/min")),
                user(slidingWindow("9/min")),
                api("GET /user/{id}", slidingLog("9/s"))));
    send(limiter, Request.of("a:{b}", "u}1", "GET", "/user/17"));
    // A gateway announces itself beside its decisions.
    eventually("the fleet is known", () -> server.keys().contains("qt:1:{node}:fleet"));
    assertThat(server.keys())
        .containsExactlyInAnyOrder(
            "qt:1:{node}:revision",
            "qt:1:{node}:fleet",
            "qt:1:{node}:forgettings",
            "qt:1:{node}:node:node:fixed_window-requests-60000-nostagger",
            "qt:1:{a%3A%7Bb%7D}:caller:a%3A%7Bb%7D:token_bucket-requests-60000",
            "qt:1:{a%3A%7Bb%7D}:user:a%3A%7Bb%7D/u%7D1:sliding_window-requests-60000-60",
            "qt:1:{GET /user/%7Bid%7D}:api:GET /user/%7Bid%7D:sliding_log-requests-1000");
  }

  @Test
  void keys_of_virtual_time_outlive_a_run_that_takes_hours() {
    try (RedisLedger virtual =
            RedisLedger.builder()
                .uri(server.uri())
                .callTimeout(Duration.ofSeconds(20))
                .prefix("v")
                .virtualTime()
                .open();
        RedisConnection connection = server.connection()) {
      assertThat(allowed(gateway(FIVE, virtual), 9)).isEqualTo(5);
      String key = "v:1:{app}:caller:app:fixed_window-requests-31536000000-nostagger";
      assertThat((Long) connection.ask("PTTL", key)).isGreaterThan(12 * 3_600_000L);
    }
  }

  @Test
  void gateways_share_every_counter() {
    try (RedisLedger second = ledger(Duration.ofSeconds(20))) {
      Limiter here = gateway(FIVE);
      Limiter there = gateway(FIVE, second);
      assertThat(allowed(here, 3) + allowed(there, 9) + allowed(here, 3)).isEqualTo(5);
    }
  }

  @Test
  void B17_each_grant_of_one_instant_is_logged() {
    assertThat(allowed(gateway(tree(caller(slidingLog("5/h")))), 20)).isEqualTo(5);
  }

  @Test
  void B21_a_planted_key_without_an_end_heals() {
    String key = "qt:1:{app}:caller:app:fixed_window-requests-31536000000-nostagger";
    try (RedisConnection connection = server.connection()) {
      connection.ask("SET", key, "99");
      assertThat(allowed(gateway(FIVE), 9)).isEqualTo(5);
      assertThat(connection.ask("PTTL", key)).isNotEqualTo(-1L);
    }
  }

  @Test
  void B29_a_key_of_another_type_heals() {
    QuotaTree tree =
        tree(
            caller(
                Quota.of(slidingLog("5/h"), tokenBucket("5/h"), slidingWindow("5/h"))
                    .withConcurrency(50)));
    try (RedisConnection connection = server.connection()) {
      Limiter limiter = gateway(tree);
      assertThat(allowed(limiter, 1)).isEqualTo(1);
      for (String key : server.keys()) {
        if (key.endsWith(":revision") || key.endsWith(":fleet")) {
          continue;
        }
        connection.ask("DEL", key);
        connection.ask("HSET", key, "a", "b");
      }
      assertThat(allowed(limiter, 9)).isEqualTo(5);
    }
  }

  @Test
  void B25_lost_scripts_are_loaded_again_and_each_request_is_counted_once() {
    Limiter limiter = gateway(FIVE);
    assertThat(allowed(limiter, 2)).isEqualTo(2);
    try (RedisConnection connection = server.connection()) {
      connection.ask("SCRIPT", "FLUSH");
      connection.ask("CONFIG", "RESETSTAT");
      List<Decision> four = IntStream.range(0, 4).mapToObj(i -> new Decision()).toList();
      four.parallelStream().forEach(decision -> limiter.decide(REQUEST, decision));
      assertThat(four.stream().filter(Decision::allowed)).hasSize(3);
      assertThat(String.valueOf(connection.ask("INFO", "commandstats")))
          .containsPattern("cmdstat_script(\\|load)?:calls=[12],");
    }
  }

  @Test
  void B41_permits_of_a_killed_gateway_come_back_and_an_unknown_release_changes_nothing() {
    QuotaTree two = tree(caller(Quota.of(Allowance.UNLIMITED).withConcurrency(2)));
    RedisLedger killed = ledger(Duration.ofSeconds(20));
    Limiter there = gateway(two, killed);
    Decision held = send(there, REQUEST);
    Limiter here = gateway(two);
    assertThat(allowed(here, 9)).isEqualTo(1);
    killed.close();
    String key = "qt:1:{app}:caller:app:concurrency-requests";
    try (RedisConnection connection = server.connection()) {
      // What is told of a hold is its end: at most 30 s from now.
      assertThat((Long) connection.ask("PTTL", key)).isBetween(25_000L, 31_000L);
      assertThat(connection.ask("ZCARD", key)).isEqualTo(2L);
      there.release(held);
      assertThat(connection.ask("ZCARD", key)).isEqualTo(2L);
      // The time of both is over.
      for (Object holder : connection.list("ZRANGE", key, "0", "-1")) {
        connection.ask("ZADD", key, "1", String.valueOf(holder));
      }
      ledger.renew(Times.STORES_OWN);
      assertThat(allowed(here, 9)).isEqualTo(2);
    }
  }

  @Test
  void a_permit_that_is_renewed_outlives_its_first_hold() {
    Limiter limiter = gateway(tree(caller(Quota.of(Allowance.UNLIMITED).withConcurrency(1))));
    Decision held = send(limiter, REQUEST);
    String key = "qt:1:{app}:caller:app:concurrency-requests";
    try (RedisConnection connection = server.connection()) {
      String before = String.valueOf(connection.list("ZRANGE", key, "0", "-1", "WITHSCORES"));
      ledger.renew(Times.STORES_OWN);
      assertThat(send(limiter, REQUEST).allowed()).isFalse();
      String after = String.valueOf(connection.list("ZRANGE", key, "0", "-1", "WITHSCORES"));
      assertThat(after).isNotEqualTo(before);
    }
    limiter.release(held);
    assertThat(send(limiter, REQUEST).allowed()).isTrue();
  }

  @Test
  void a_store_that_is_frozen_makes_decisions_unavailable_in_time_and_no_refusals() {
    try (RedisLedger hasty = ledger(Duration.ofMillis(100))) {
      Limiter limiter = gateway(FIVE, hasty);
      assertThat(allowed(limiter, 1)).isEqualTo(1);
      server.freeze();
      Decision decision = send(limiter, REQUEST);
      server.thaw();
      assertThat(decision.outcome()).isEqualTo(Outcome.UNAVAILABLE);
      assertThat(decision.layer()).isEmpty();
      assertThat(decision.told()).isEmpty();
      assertThat(decision.retryAfter().seconds()).isEqualTo(1);
    }
  }

  @Test
  void what_the_gateways_own_ledger_charged_goes_back_where_the_store_does_not_answer() {
    Quota instance = Quota.of(fixedWindow("3/year")).withConcurrency(2);
    QuotaTree tree =
        QuotaTree.empty()
            .withNode(new NodeLines(Quota.of(fixedWindow("9/year")), instance, List.of()));
    try (RedisLedger hasty =
        RedisLedger.builder()
            .uri(server.uri())
            .callTimeout(Duration.ofMillis(100))
            .local(new MemoryLedger())
            .onFailure(OnFailure.CLOSED)
            .open()) {
      Limiter limiter = gateway(tree, hasty);
      // The first may also wait for the scripts.
      Decision first = send(limiter, REQUEST);
      while (!first.allowed()) {
        limiter.decide(REQUEST, first);
      }
      server.freeze();
      assertThat(send(limiter, REQUEST).outcome()).isEqualTo(Outcome.UNAVAILABLE);
      assertThat(limiter.peek(Layer.NODE, "node@gw").stream().map(LimitState::usedPermits))
          .containsExactly(1L, 1L);
      limiter.release(first);
      assertThat(limiter.peek(Layer.NODE, "node@gw").get(1).usedPermits()).isZero();
      server.thaw();
    }
  }

  @Test
  void B31_a_refusal_is_no_failure() {
    assertThat(IntStream.range(0, 8).mapToObj(i -> send(gateway(FIVE), REQUEST).outcome()).toList())
        .containsOnly(Outcome.ALLOWED, Outcome.REFUSED);
  }

  @Test
  void a_frozen_store_is_asked_no_more_until_it_answers_again() {
    try (RedisLedger hasty = ledger(Duration.ofMillis(200));
        RedisConnection connection = server.connection()) {
      Limiter limiter = gateway(FIVE, hasty);
      assertThat(allowed(limiter, 1)).isEqualTo(1);
      connection.ask("CONFIG", "RESETSTAT");
      server.freeze();
      for (int i = 0; i < 1_000; i++) {
        assertThat(send(limiter, REQUEST).outcome()).isEqualTo(Outcome.UNAVAILABLE);
      }
      assertThat(hasty.state()).isEqualTo(StoreState.SILENT);
      server.thaw();
      allowedOnceBack(limiter);
      assertThat(hasty.state()).isEqualTo(StoreState.UP);
      // Those that opened the breaker, a probe or two, and the first after it.
      assertThat(calls(connection, "evalsha")).isBetween(Breaker.FAILURES, 20);
    }
  }

  private static int calls(RedisConnection connection, String command) {
    String stats = String.valueOf(connection.ask("INFO", "commandstats"));
    Matcher calls = Pattern.compile("cmdstat_" + command + ":calls=([0-9]+),").matcher(stats);
    assertThat(calls.find()).isTrue();
    return Integer.parseInt(calls.group(1));
  }

  @Test
  void a_store_that_is_frozen_before_the_first_request_holds_nobody_up() {
    try (RedisLedger hasty = ledger(Duration.ofMillis(100))) {
      server.freeze();
      Limiter limiter = gateway(FIVE, hasty);
      assertThat(send(limiter, REQUEST).outcome()).isEqualTo(Outcome.UNAVAILABLE);
      server.thaw();
      assertThat(allowedOnceBack(limiter)).isTrue();
    }
  }

  @Test
  void a_killed_store_is_used_again_once_it_is_back() {
    try (RedisLedger hasty = ledger(Duration.ofMillis(500))) {
      Limiter limiter = gateway(FIVE, hasty);
      assertThat(allowed(limiter, 9)).isEqualTo(5);
      server.kill();
      for (int i = 0; i < 100; i++) {
        assertThat(send(limiter, REQUEST).outcome()).isEqualTo(Outcome.UNAVAILABLE);
      }
      // By the connection's own thread: a hundred requests may be quicker.
      eventually("it is noticed", () -> hasty.state() == StoreState.UNREACHABLE);
      server.restart();
      assertThat(allowedOnceBack(limiter)).isTrue();
    }
  }

  private static boolean allowedOnceBack(Limiter limiter) {
    Decision decision = send(limiter, REQUEST);
    while (decision.outcome() == Outcome.UNAVAILABLE) {
      decision = send(limiter, REQUEST);
    }
    return decision.allowed();
  }

  @Test
  void a_store_without_memory_makes_decisions_unavailable_and_is_used_again_once_it_has_some() {
    Limiter limiter = gateway(FIVE);
    assertThat(allowed(limiter, 1)).isEqualTo(1);
    try (RedisConnection connection = server.connection()) {
      connection.ask("CONFIG", "SET", "maxmemory", "1");
      for (int i = 0; i < 20; i++) {
        assertThat(send(limiter, REQUEST).outcome()).isEqualTo(Outcome.UNAVAILABLE);
      }
      assertThat(ledger.state()).isEqualTo(StoreState.SILENT);
      connection.ask("CONFIG", "SET", "maxmemory", "0");
    }
    assertThat(allowedOnceBack(limiter)).isTrue();
  }
}
