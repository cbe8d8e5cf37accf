package io.quotatree.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Events;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.limit.OnFailure;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.testkit.store.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Ledgers in virtual time on one real server and one connection, each with keys of its own. */
final class VirtualLedgers implements AutoCloseable {

  private final RedisServer server = RedisServer.start();
  private final RedisLedger.Parts parts =
      RedisLedger.builder()
          .uri(server.uri())
          .callTimeout(Duration.ofSeconds(20))
          .connectTimeout(Duration.ofSeconds(20))
          .virtualTime()
          .parts();
  private final AtomicInteger born = new AtomicInteger();

  RedisLedger empty() {
    return empty(null);
  }

  /** One whose gateways count by themselves what is theirs alone. */
  RedisLedger withLocal() {
    return empty(new MemoryLedger());
  }

  private RedisLedger empty(@Nullable Ledger local) {
    return new RedisLedger(
        new RedisLedger.Parts(
            parts.store(),
            parts.clock(),
            "t" + born.incrementAndGet(),
            parts.bounds(),
            parts.timer(),
            local,
            OnFailure.LOCAL,
            Events.NONE));
  }

  /** Sees to it that no ledger left a key for ever, and empties the server. */
  void end() {
    List<String> forEver = server.keysWithoutEnd();
    try (var connection = server.connection()) {
      connection.ask("FLUSHALL");
    }
    assertThat(forEver).as("keys without an end").isEmpty();
  }

  @Override
  public void close() {
    parts.timer().shutdownNow();
    parts.store().close();
    server.close();
  }
}
