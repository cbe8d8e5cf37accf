package io.quotatree.gateway.server;

import io.netty.channel.EventLoop;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The connections that the clients of one address have open. Those that bring no request for too
 * long, or one whose head does not end, are closed.
 *
 * <p>Each event loop keeps and looks after its own; only their number is shared.
 */
final class ClientConnections {

  private static final long SWEEPS_PER_LIMIT = 5;

  private final Settings.Patience patience;

  /** Each set belongs to its event loop; the map is written by a loop at its first connection. */
  private final Map<EventLoop, Set<ClientConnection>> byLoop = new ConcurrentHashMap<>();

  /** Changed by all event loops, once for each connection's begin and end. */
  private final AtomicInteger open = new AtomicInteger();

  private final CompletableFuture<Void> empty = new CompletableFuture<>();

  /** Set once, by whoever ends the gateway; read by event loops for connections that come or go. */
  private volatile boolean ending;

  ClientConnections(Settings.Patience patience) {
    this.patience = patience;
  }

  /** Counts one more, which then has to come, or to be given up; answers how many others are. */
  int expect() {
    return open.getAndIncrement();
  }

  /** One that was expected does not come. */
  void giveUp() {
    open.decrementAndGet();
  }

  /** Gets ready for connections on an event loop; called there. */
  Set<ClientConnection> on(EventLoop loop) {
    return byLoop.computeIfAbsent(loop, this::lookedAfter);
  }

  void opened(ClientConnection connection, EventLoop loop) {
    on(loop).add(connection);
  }

  private Set<ClientConnection> lookedAfter(EventLoop loop) {
    long shortestMillis = Math.min(patience.idle().toMillis(), patience.head().toMillis());
    long everyMillis = Math.max(1, shortestMillis / SWEEPS_PER_LIMIT);
    Set<ClientConnection> own = new HashSet<>();
    var unused =
        loop.scheduleAtFixedRate(
            () -> closeStale(own), everyMillis, everyMillis, TimeUnit.MILLISECONDS);
    return own;
  }

  private void closeStale(Set<ClientConnection> own) {
    long now = ClientConnection.CLOCK.monotonicNanos();
    closeThose(own, connection -> connection.isStale(now, patience));
  }

  /** Closing changes the set, so those that are to be closed are picked first. */
  private static void closeThose(Set<ClientConnection> own, Predicate<ClientConnection> which) {
    List<ClientConnection> picked = own.stream().filter(which).toList();
    picked.forEach(ClientConnection::close);
  }

  void closed(ClientConnection connection, EventLoop loop) {
    Set<ClientConnection> own = byLoop.get(loop);
    if (own != null) {
      own.remove(connection);
    }
    if (open.decrementAndGet() == 0 && ending) {
      empty.complete(null);
    }
  }

  /** A connection whose client speaks HTTP/2 is told of the end as soon as it is there. */
  void taken(ClientConnection connection) {
    if (ending) {
      connection.tellOfEnd();
    }
  }

  /**
   * Tells the clients that the end comes, as far as their protocol can: over HTTP/1 each further
   * answer says so, over HTTP/2 this does. What they have sent meanwhile is still taken.
   *
   * @return ends when the last of them is gone
   */
  CompletableFuture<Void> tellOfEnd() {
    ending = true;
    onEachLoop(own -> own.forEach(ClientConnection::tellOfEnd));
    if (open.get() == 0) {
      empty.complete(null);
    }
    return empty;
  }

  /** Closes those that never brought anything; the server itself does not know of them. */
  void closeSilent() {
    onEachLoop(own -> closeThose(own, ClientConnection::isSilent));
  }

  /** Ends the given future when each event loop has done what it had to do by now. */
  void settle(CompletableFuture<Void> settled) {
    CompletableFuture<?>[] each =
        byLoop.keySet().stream()
            .map(loop -> CompletableFuture.runAsync(() -> {}, loop))
            .toArray(CompletableFuture<?>[]::new);
    var unused = CompletableFuture.allOf(each).thenRun(() -> settled.complete(null));
  }

  private void onEachLoop(Consumer<Set<ClientConnection>> work) {
    byLoop.forEach((loop, own) -> loop.execute(() -> work.accept(own)));
  }
}
