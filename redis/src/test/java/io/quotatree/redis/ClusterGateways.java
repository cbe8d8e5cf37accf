package io.quotatree.redis;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Trees.api;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.node;
import static io.quotatree.testkit.Trees.tree;
import static io.quotatree.testkit.Trees.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.Ticker;
import io.quotatree.testkit.store.RedisCluster;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Gateways of a real cluster by its own clock. */
abstract class ClusterGateways {

  static final Duration PATIENCE = Duration.ofSeconds(20);
  static final Request REQUEST = Request.of("app", "u1", "GET", "/x");
  static final QuotaTree FOUR =
      tree(
          node(fixedWindow("100/year")),
          caller(fixedWindow("50/year")),
          user(fixedWindow("5/year")),
          api("GET /x", fixedWindow("20/year")));

  static RedisCluster cluster;

  final RedisLedger ledger = ledger();

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start(3);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void end() {
    ledger.close();
    assertThat(cluster.keysWithoutEnd()).isEmpty();
    cluster.askAll("FLUSHALL");
  }

  static RedisLedger ledger() {
    return RedisLedger.builder()
        .cluster(cluster.uris())
        .callTimeout(PATIENCE)
        .connectTimeout(PATIENCE)
        .open();
  }

  Limiter gateway(QuotaTree tree) {
    return new Limiter(Policy.compile(tree, "gw"), ledger, Ticker.system());
  }

  static Decision send(Limiter limiter, Request request) {
    Decision decision = new Decision();
    limiter.decide(request, decision);
    return decision;
  }

  static long allowed(Limiter limiter, Request request, int times) {
    return IntStream.range(0, times).filter(i -> send(limiter, request).allowed()).count();
  }

  static long used(Limiter limiter, Layer layer, String subject) {
    return limiter.peek(layer, subject).get(0).usedPermits();
  }
}
