package io.quotatree.bench.redis;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.Ticker;
import io.quotatree.redis.RedisLedger;
import io.quotatree.testkit.store.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One gateway's ledger under a steady load while its store fails for two seconds and comes back.
 *
 * <p>Its settings are the usual ones. Threads decide one request each millisecond, as long as each
 * gets its answer in time. One of the four limits is so narrow that it is used up on the way.
 */
final class Outage {

  private static final int THREADS = 4;
  private static final long LIMIT = 6_000;
  private static final long WARMING = 20_000;
  private static final long BEFORE_MILLIS = 1_000;
  private static final long AWAY_MILLIS = 2_000;
  private static final long AFTER_MILLIS = 3_000;
  private static final long PATIENCE_MILLIS = 10_000;

  private final RedisServer server;
  private final Limiter limiter;
  private final Timeline timeline = new Timeline();

  private Outage(RedisServer server, RedisLedger ledger) {
    this.server = server;
    this.limiter =
        new Limiter(
            Policy.compile(Quotas.withNarrow(LIMIT), "gateway-01"), ledger, Ticker.system());
  }

  /** Has a store fail once. */
  static Survival of(Fault fault) {
    try (RedisServer server = RedisServer.start();
        RedisLedger ledger =
            RedisLedger.builder().uri(server.uri()).local(new MemoryLedger()).open()) {
      return new Outage(server, ledger).measured(fault);
    }
  }

  private Survival measured(Fault fault) {
    warm();
    List<LoadThread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      LoadThread thread = new LoadThread(limiter, timeline, i);
      threads.add(thread);
      thread.start();
    }
    pass(BEFORE_MILLIS);
    timeline.begins();
    fault.begin(server);
    pass(AWAY_MILLIS);
    timeline.ends();
    fault.end(server);
    timeline.isBack();
    pass(AFTER_MILLIS);
    timeline.isOver();
    for (LoadThread thread : threads) {
      join(thread);
    }
    return Survival.of(fault, threads, timeline, LIMIT);
  }

  /** At other limits, so that the narrow one is untouched. */
  private void warm() {
    Decision decision = new Decision();
    for (int i = 0; i < WARMING; i++) {
      limiter.decide(Request.of("app-00001", "u-1", "GET", "/v1/orders/r0001/items"), decision);
    }
  }

  private static void pass(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
