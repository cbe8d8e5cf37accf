package io.quotatree.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Events;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.limit.OnFailure;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.testkit.store.RedisCluster;
import io.quotatree.testkit.store.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Ledgers in virtual time on one real store and one connection, each with keys of its own. */
final class VirtualLedgers implements AutoCloseable {

  private final List<RedisServer> masters;
  private final AutoCloseable servers;
  private final RedisLedger.Parts parts;
  private final AtomicInteger born = new AtomicInteger();

  private VirtualLedgers(
      List<RedisServer> masters, AutoCloseable servers, Consumer<RedisLedgerBuilder> address) {
    this.masters = masters;
    this.servers = servers;
    RedisLedgerBuilder builder =
        RedisLedger.builder()
            .callTimeout(Duration.ofSeconds(20))
            .connectTimeout(Duration.ofSeconds(20))
            .virtualTime();
    address.accept(builder);
    this.parts = builder.parts();
  }

  /** Those on one server. */
  static VirtualLedgers onOneServer() {
    RedisServer server = RedisServer.start();
    return new VirtualLedgers(List.of(server), server, builder -> builder.uri(server.uri()));
  }

  /** Those on a cluster of three. */
  static VirtualLedgers onCluster() {
    RedisCluster cluster = RedisCluster.start(3);
    return new VirtualLedgers(
        cluster.masters(), cluster, builder -> builder.cluster(cluster.uris()));
  }

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

  /** Sees to it that no ledger left a key for ever, and empties the store. */
  void end() {
    for (RedisServer master : masters) {
      List<String> forEver = master.keysWithoutEnd();
      try (var connection = master.connection()) {
        connection.ask("FLUSHALL");
      }
      assertThat(forEver).as("keys without an end").isEmpty();
    }
  }

  @Override
  public void close() {
    parts.timer().shutdownNow();
    parts.store().close();
    try {
      servers.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
