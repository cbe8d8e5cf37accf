package io.quotatree.redis;

import io.quotatree.core.time.Ticker;
import io.quotatree.redis.servers.Store;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The breakers of a store, one for each of its servers: where one gives no answers, what needs it
 * is not asked, and all else goes on.
 *
 * <p>A breaker is made at a server's first failure, and goes when the key that it was made for is
 * found at another server: there are never more than servers. While none has failed, asking about
 * any key is one read.
 *
 * <p>Safe for use by several threads.
 */
final class Breakers {

  private static final Logger LOG = LoggerFactory.getLogger(Breakers.class);

  private final Store store;
  private final Care care;
  private final long timeoutNanos;
  private final ScheduledExecutorService timer;

  /** By the servers that they are for. */
  private final Map<Object, Watched> byServer = new ConcurrentHashMap<>();

  /** Whether none has failed; written under this object's monitor, after each change. */
  private volatile boolean areAllWell = true;

  /** What the log says; guarded by this object's monitor. */
  private Silent told = new Silent(Extent.NONE, List.of());

  /**
   * What is done about servers that give no answers.
   *
   * @param probe asks the server of a key something that it has to write down
   * @param first what is done before anything else is asked of a server that is back, about the
   *     keys that are there
   */
  record Care(Function<byte[], CompletionStage<?>> probe, Consumer<Predicate<byte[]>> first) {}

  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Watched(byte[] key, Breaker breaker) {}

  private enum Extent {
    NONE,
    SOME,
    ALL
  }

  private record Silent(Extent extent, List<String> names) {}

  /** Those of a ledger's store, all closed. */
  Breakers(RedisLedger.Parts parts, Care care) {
    this.store = parts.store();
    this.care = care;
    this.timeoutNanos = parts.bounds().timeoutNanos();
    this.timer = parts.timer();
  }

  /** Whether the last question to each server was answered in time. */
  boolean areAllWell() {
    return areAllWell;
  }

  /** Whether the server of a key is asked. */
  boolean isAsked(byte[] key) {
    if (areAllWell) {
      return true;
    }
    Watched found = byServer.get(store.serverOf(key));
    return found == null || !found.breaker.isOpen();
  }

  /** Whether the last question to the server of a key was answered in time. */
  boolean isWell(byte[] key) {
    if (areAllWell) {
      return true;
    }
    Watched found = byServer.get(store.serverOf(key));
    return found == null || !found.breaker.hasFailed();
  }

  /** A question about a key was answered in time. */
  void answered(byte[] key) {
    if (areAllWell) {
      return;
    }
    Watched found = byServer.get(store.serverOf(key));
    if (found != null) {
      found.breaker.answered();
    }
  }

  /** A question about a key was not answered, or not in time. */
  void failed(byte[] key) {
    byServer
        .computeIfAbsent(store.serverOf(key), server -> new Watched(key, made(server, key)))
        .breaker
        .failed();
  }

  private Breaker made(Object server, byte[] key) {
    return new Breaker(
        new Breaker.Comeback(
            this::lookAgain,
            () -> care.probe.apply(key),
            () -> care.first.accept(some -> store.serverOf(some).equals(server)),
            this::changed),
        timeoutNanos,
        Ticker.system(),
        timer);
  }

  /** Another server may have the keys by now. */
  private void lookAgain() {
    if (byServer.values().stream().anyMatch(watched -> watched.breaker.isOpen())) {
      store.lookAgain();
    }
    dropThoseGone();
  }

  private void dropThoseGone() {
    boolean any =
        byServer
            .entrySet()
            .removeIf(
                entry -> {
                  boolean isGone = !store.serverOf(entry.getValue().key).equals(entry.getKey());
                  if (isGone) {
                    entry.getValue().breaker.end();
                  }
                  return isGone;
                });
    if (any) {
      changed();
    }
  }

  /** How the store is, where it is connected. */
  StoreState state() {
    if (areAllWell) {
      return StoreState.UP;
    }
    dropThoseGone();
    long failing = byServer.values().stream().filter(w -> w.breaker.hasFailed()).count();
    if (failing == 0) {
      return StoreState.UP;
    }
    return failing < store.servers() ? StoreState.PARTLY : StoreState.SILENT;
  }

  private synchronized void changed() {
    areAllWell = byServer.values().stream().noneMatch(watched -> watched.breaker.hasFailed());
    List<String> names =
        byServer.values().stream()
            .filter(watched -> watched.breaker.isOpen())
            .map(watched -> store.nameOf(watched.key))
            .sorted()
            .toList();
    Extent extent =
        names.isEmpty() ? Extent.NONE : names.size() < store.servers() ? Extent.SOME : Extent.ALL;
    Silent now = new Silent(extent, names);
    if (!now.equals(told)) {
      tell(now);
      told = now;
    }
  }

  /** One warning for each worse state, however many servers it is about. */
  private void tell(Silent now) {
    if (now.extent == Extent.NONE) {
      LOG.info("the store gives answers again");
    } else if (now.extent == Extent.ALL && told.extent != Extent.ALL) {
      LOG.warn(
          "the store gives no answers; it is asked no more until it does, and quotas hold by their"
              + " on_failure");
    } else if (now.extent == Extent.SOME && told.extent == Extent.NONE) {
      LOG.warn(
          "a server of the store gives no answers ({}); it is asked no more until it does, and"
              + " quotas with counters there hold by their on_failure",
          String.join(", ", now.names));
    } else {
      LOG.info("servers of the store that give no answers: {}", String.join(", ", now.names));
    }
  }
}
