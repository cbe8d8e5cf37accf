package io.quotatree.gateway.server;

import io.quotatree.core.time.Ticker;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Closes client connections on which no request came for too long since they opened or were last
 * answered. A request's head that comes drop by drop counts as none; a request under way never
 * does, however long its answer takes.
 *
 * <p>Belongs to one event loop.
 */
final class IdleConnections {

  private static final Ticker CLOCK = Ticker.system();
  private static final long SWEEPS_PER_LIMIT = 5;

  private final long limitNanos;
  private final Map<HttpConnection, Seen> open = new HashMap<>();

  private static final class Seen {
    private boolean busy;
    private long idleSinceNanos = CLOCK.monotonicNanos();
  }

  IdleConnections(Vertx vertx, Duration limit) {
    this.limitNanos = limit.toNanos();
    vertx.setPeriodic(Math.max(1, limit.toMillis() / SWEEPS_PER_LIMIT), id -> sweep());
  }

  void opened(HttpConnection connection) {
    open.put(connection, new Seen());
    connection.closeHandler(v -> open.remove(connection));
  }

  /** Notes each request before it reaches the given handler. */
  Handler<HttpServerRequest> noting(Handler<HttpServerRequest> handler) {
    return request -> {
      Seen seen = open.get(request.connection());
      if (seen != null) {
        seen.busy = true;
        request.response().endHandler(v -> answered(seen));
      }
      handler.handle(request);
    };
  }

  private static void answered(Seen seen) {
    seen.busy = false;
    seen.idleSinceNanos = CLOCK.monotonicNanos();
  }

  private void sweep() {
    long now = CLOCK.monotonicNanos();
    List<HttpConnection> stale =
        open.entrySet().stream()
            .filter(e -> !e.getValue().busy && now - e.getValue().idleSinceNanos > limitNanos)
            .map(Map.Entry::getKey)
            .toList();
    stale.forEach(HttpConnection::close);
  }
}
