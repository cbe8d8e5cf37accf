package io.quotatree.redis;

import io.quotatree.core.engine.Events;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.ledger.ScenarioStore;
import io.quotatree.core.limit.OnFailure;
import io.quotatree.redis.servers.NotingStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Redis as scenarios use it: one connection, and for each ledger a prefix of its own.
 *
 * <p>Keys that could not be deleted, since the connection was lost, end by themselves after a day.
 */
final class RedisScenarioStore implements ScenarioStore {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final RedisLedger.Parts parts;
  private final NotingStore store;
  private final String prefix =
      "quotatree-test-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()) + "-";
  private int ledgers;

  private RedisScenarioStore(RedisLedger.Parts parts, NotingStore store) {
    this.parts = parts;
    this.store = store;
  }

  @Override
  public Ledger empty() {
    deleteKeys();
    ledgers++;
    return new RedisLedger(
        new RedisLedger.Parts(
            store,
            parts.clock(),
            prefix + ledgers,
            parts.bounds(),
            parts.timer(),
            null,
            OnFailure.CLOSED,
            Events.NONE));
  }

  private void deleteKeys() {
    for (CompletionStage<?> deleting : store.deleteNoted()) {
      try {
        deleting.toCompletableFuture().get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException | TimeoutException e) {
        // They end by themselves; whether the store is there, decisions tell.
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  @Override
  public void close() {
    store.refuse();
    deleteKeys();
    parts.timer().shutdownNow();
    store.close();
  }

  /** Opens Redis for whoever knows no more than its address. */
  public static final class Opener implements ScenarioStore.Opener {

    /** For {@link java.util.ServiceLoader}. */
    public Opener() {}

    @Override
    public boolean opens(String address) {
      return address.startsWith("redis://")
          || address.startsWith("rediss://")
          || address.startsWith("redis-sentinel://")
          || address.startsWith("rediss-sentinel://");
    }

    @Override
    public ScenarioStore open(String address) {
      RedisLedger.Parts parts =
          RedisLedger.builder()
              .uri(address)
              .callTimeout(TIMEOUT)
              .connectTimeout(TIMEOUT)
              .virtualTime()
              .parts();
      if (parts.store().isConnected() && parts.store() instanceof NotingStore store) {
        return new RedisScenarioStore(parts, store);
      }
      parts.timer().shutdownNow();
      parts.store().close();
      throw new UncheckedIOException(
          new IOException("no connection to the store within " + TIMEOUT.toSeconds() + " s"));
    }
  }
}
