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
import io.quotatree.core.engine.Events;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Certainty;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.OnFailure;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.ManualTicker;
import io.quotatree.core.time.Ticker;
import io.quotatree.testkit.store.FaultProxy;
import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Gateways of a real store that goes away and comes back. */
final class StoreAwayTest {

  private static final Request REQUEST = Request.of("app", "u1", "GET", "/x");
  private static final Duration PATIENT = Duration.ofSeconds(20);
  private static final Duration HASTY = Duration.ofMillis(200);

  private final RedisServer server = RedisServer.start();
  private final List<RedisLedger> ledgers = new ArrayList<>();

  private RedisLedger ledger(String uri, Duration callTimeout) {
    RedisLedger ledger =
        RedisLedger.builder()
            .uri(uri)
            .callTimeout(callTimeout)
            .connectTimeout(Duration.ofSeconds(5))
            .local(new MemoryLedger())
            .open();
    ledgers.add(ledger);
    return ledger;
  }

  private List<Limiter> fleet(int gateways, QuotaTree tree) {
    List<RedisLedger> opened =
        IntStream.range(0, gateways).mapToObj(i -> ledger(server.uri(), HASTY)).toList();
    eventually(
        "all know of each other", () -> opened.stream().allMatch(l -> l.gateways() == gateways));
    return opened.stream().map(ledger -> gateway(tree, ledger)).toList();
  }

  private static Limiter gateway(QuotaTree tree, RedisLedger of) {
    return new Limiter(Policy.compile(tree, "gw"), of, Ticker.system());
  }

  private static Decision send(Limiter limiter) {
    Decision decision = new Decision();
    limiter.decide(REQUEST, decision);
    return decision;
  }

  private static long allowed(Limiter limiter, int times) {
    return IntStream.range(0, times).filter(i -> send(limiter).allowed()).count();
  }

  private static long allowed(List<Limiter> fleet, int times) {
    return IntStream.range(0, times)
        .filter(i -> send(fleet.get(i % fleet.size())).allowed())
        .count();
  }

  /** Sends until the store decides; answers how many were allowed. */
  private static int untilAsked(Limiter limiter) {
    AtomicInteger allowed = new AtomicInteger();
    eventually(
        "the store is asked",
        () -> {
          Decision decision = send(limiter);
          allowed.addAndGet(decision.allowed() ? 1 : 0);
          return decision.certainty() == Certainty.EXACT;
        });
    return allowed.get();
  }

  @AfterEach
  void end() {
    // A test that failed may have left it frozen.
    server.thaw();
    ledgers.forEach(RedisLedger::close);
    assertThat(server.keysWithoutEnd()).isEmpty();
    server.close();
  }

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
      assertThat(connection.ask("ZCARD", key)).isEqualTo(3L);
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

  /** Counts what is decided without the store. */
  private static final class Fallbacks implements Events {

    final AtomicInteger fallen = new AtomicInteger();

    @Override
    public void storeAnswered(long nanos) {}

    @Override
    public void storeFailed() {}

    @Override
    public void fellBack(OnFailure way) {
      assertThat(way).isEqualTo(OnFailure.LOCAL);
      fallen.incrementAndGet();
    }
  }

  @Test
  void B31_a_refusal_is_no_failure_and_a_failure_is_told_as_one() {
    Fallbacks heard = new Fallbacks();
    RedisLedger ledger =
        RedisLedger.builder()
            .uri(server.uri())
            .callTimeout(PATIENT)
            .local(new MemoryLedger())
            .events(heard)
            .open();
    ledgers.add(ledger);
    Limiter limiter = gateway(tree(caller(fixedWindow("2/year"))), ledger);
    assertThat(allowed(limiter, 10)).isEqualTo(2);
    assertThat(heard.fallen).hasValue(0);
    server.kill();
    assertThat(allowed(limiter, 10)).isZero();
    assertThat(heard.fallen).hasValue(10);
    server.restart();
  }

  @Test
  void a_store_that_loads_its_data_is_a_failure_until_it_has() throws InterruptedException {
    try (RedisServer slow =
        RedisServer.start(
            // It looks after its connections every 2 MB, and takes 10 ms for a key.
            "--key-load-delay", "10000", "--rdbcompression", "no")) {
      Limiter limiter = gateway(tree(caller(fixedWindow("50/year"))), ledger(slow.uri(), PATIENT));
      assertThat(allowed(limiter, 3)).isEqualTo(3);
      try (RedisConnection operator = slow.connection()) {
        operator.ask(
            "EVAL",
            "for i = 1, 300 do redis.call('SET', i, string.rep('x', 65536), 'EX', 60) end",
            "0");
        operator.ask("SAVE");
      }
      slow.kill();
      // Without a connection, then with one that says LOADING.
      Thread starting = new Thread(slow::restart);
      starting.start();
      eventually("it loads", () -> saysLoading(slow));
      assertThat(send(limiter).certainty()).isEqualTo(Certainty.FALLBACK);
      starting.join();
      int allowed = 4 + untilAsked(limiter);
      eventually("it was told", () -> used(limiter, Layer.CALLER, "app") >= Math.min(50, allowed));
    }
  }

  /** What the store counts, as soon as it is answered: on a busy machine an answer may be late. */
  private static long used(Limiter limiter, Layer layer, String subject) {
    AtomicLong used = new AtomicLong();
    eventually(
        "the store answers",
        () -> {
          try {
            used.set(limiter.peek(layer, subject).get(0).usedPermits());
            return true;
          } catch (IllegalStateException notAnswered) {
            return false;
          }
        });
    return used.get();
  }

  private static boolean saysLoading(RedisServer slow) {
    try (RedisConnection operator = slow.connection()) {
      operator.ask("GET", "1");
      return false;
    } catch (IllegalStateException answer) {
      return String.valueOf(answer.getMessage()).startsWith("LOADING");
    } catch (UncheckedIOException noConnection) {
      return false;
    }
  }

  @Test
  void B30_a_black_holed_connection_holds_no_request_up() {
    try (FaultProxy proxy = FaultProxy.before(server.port())) {
      RedisLedger ledger = ledger(proxy.uri(), HASTY);
      Limiter limiter = gateway(tree(caller(fixedWindow("500/year"))), ledger);
      assertThat(allowed(limiter, 5)).isEqualTo(5);
      proxy.use(FaultProxy.Way.BLACK_HOLE);
      assertThat(allowed(limiter, 1_000)).isEqualTo(495);
      assertThat(ledger.state()).isEqualTo(StoreState.SILENT);
      proxy.use(FaultProxy.Way.PASS);
      // Of what was lost no reply will ever come: the connection is made anew.
      proxy.cut();
      untilAsked(limiter);
      assertThat(allowed(limiter, 9)).isZero();
    }
  }

  @Test
  void a_lost_reply_costs_a_charge_too_many_and_never_one_too_few() {
    try (FaultProxy proxy = FaultProxy.before(server.port())) {
      Limiter limiter = gateway(tree(caller(fixedWindow("50/year"))), ledger(proxy.uri(), HASTY));
      assertThat(allowed(limiter, 5)).isEqualTo(5);
      proxy.use(FaultProxy.Way.LOSE_REPLIES);
      assertThat(allowed(limiter, 10)).isEqualTo(10);
      proxy.use(FaultProxy.Way.PASS);
      proxy.cut();
      int allowed = 15 + untilAsked(limiter);
      long used = used(limiter, Layer.CALLER, "app");
      assertThat(used).isBetween((long) allowed, allowed + (long) Breaker.FAILURES);
    }
  }

  @Test
  void errors_of_the_store_are_failures_and_end_with_it() {
    try (RedisConnection operator = server.connection()) {
      Limiter limiter =
          gateway(tree(caller(fixedWindow("50/year"))), ledger(server.uri(), PATIENT));
      assertThat(allowed(limiter, 3)).isEqualTo(3);
      operator.ask("CONFIG", "SET", "min-replicas-to-write", "1");
      assertThat(send(limiter).certainty()).isEqualTo(Certainty.FALLBACK);
      assertThat(allowed(limiter, 100)).isEqualTo(46);
      operator.ask("CONFIG", "SET", "min-replicas-to-write", "0");
      untilAsked(limiter);
      assertThat(allowed(limiter, 9)).isZero();
    }
  }

  @Test
  void a_store_that_became_a_replica_is_a_failure_until_it_is_none() {
    try (RedisConnection operator = server.connection()) {
      Limiter limiter =
          gateway(tree(caller(fixedWindow("50/year"))), ledger(server.uri(), PATIENT));
      assertThat(allowed(limiter, 3)).isEqualTo(3);
      operator.ask("REPLICAOF", "127.0.0.1", "1");
      assertThat(send(limiter).certainty()).isEqualTo(Certainty.FALLBACK);
      operator.ask("REPLICAOF", "NO", "ONE");
      int allowed = 4 + untilAsked(limiter);
      eventually("it was told", () -> used(limiter, Layer.CALLER, "app") == allowed);
    }
  }

  @Test
  void a_script_that_runs_for_long_is_a_failure_until_it_ends() {
    try (RedisConnection operator = server.connection()) {
      operator.ask("CONFIG", "SET", "lua-time-limit", "1");
      Limiter limiter = gateway(tree(caller(fixedWindow("50/year"))), ledger(server.uri(), HASTY));
      assertThat(allowed(limiter, 3)).isEqualTo(3);
      Thread busy =
          new Thread(
              () -> {
                try (RedisConnection other = server.connection()) {
                  other.ask("EVAL", "while true do end", "0");
                }
              });
      // It ends with the error that it was killed.
      busy.setUncaughtExceptionHandler((thread, killed) -> {});
      busy.start();
      eventually("it runs", () -> send(limiter).certainty() == Certainty.FALLBACK);
      eventually("it is killed", () -> killed(operator));
      untilAsked(limiter);
    }
  }

  private static boolean killed(RedisConnection operator) {
    try {
      return "OK".equals(operator.ask("SCRIPT", "KILL"));
    } catch (IllegalStateException notYet) {
      return false;
    }
  }
}
