package io.quotatree.redis;

import static io.quotatree.redis.Eventually.eventually;
import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Events;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.Certainty;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.OnFailure;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.testkit.store.FaultProxy;
import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisServer;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Gateways of a real store that answers with errors, late, or not at all. */
final class StoreErrorsTest extends StoreGateways {

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
