package io.quotatree.redis;

import static io.quotatree.redis.Eventually.eventually;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.Certainty;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.Ticker;
import io.quotatree.testkit.store.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** Gateways of one real store that is made to fail. */
abstract class StoreGateways {

  static final Request REQUEST = Request.of("app", "u1", "GET", "/x");
  static final Duration PATIENT = Duration.ofSeconds(20);
  static final Duration HASTY = Duration.ofMillis(200);

  final RedisServer server = RedisServer.start();
  final List<RedisLedger> ledgers = new ArrayList<>();

  RedisLedger ledger(String uri, Duration callTimeout) {
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

  List<Limiter> fleet(int gateways, QuotaTree tree) {
    List<RedisLedger> opened =
        IntStream.range(0, gateways).mapToObj(i -> ledger(server.uri(), HASTY)).toList();
    eventually(
        "all know of each other", () -> opened.stream().allMatch(l -> l.gateways() == gateways));
    return opened.stream().map(ledger -> gateway(tree, ledger)).toList();
  }

  static Limiter gateway(QuotaTree tree, RedisLedger of) {
    return new Limiter(Policy.compile(tree, "gw"), of, Ticker.system());
  }

  static Decision send(Limiter limiter) {
    Decision decision = new Decision();
    limiter.decide(REQUEST, decision);
    return decision;
  }

  static long allowed(Limiter limiter, int times) {
    return IntStream.range(0, times).filter(i -> send(limiter).allowed()).count();
  }

  static long allowed(List<Limiter> fleet, int times) {
    return IntStream.range(0, times)
        .filter(i -> send(fleet.get(i % fleet.size())).allowed())
        .count();
  }

  /** Sends until the store decides; answers how many were allowed. */
  static int untilAsked(Limiter limiter) {
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

  /** What the store counts, as soon as it is answered: on a busy machine an answer may be late. */
  static long used(Limiter limiter, Layer layer, String subject) {
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
}
