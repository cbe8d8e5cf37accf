package io.quotatree.gateway.proxy;

import io.vertx.core.AsyncResult;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket through the gateway: once both sides have agreed on it, bytes pass both ways as they
 * come, and nobody looks at them. Whichever side ends it ends the other, and only then the permits
 * come back.
 */
final class Tunnel {

  private static final String PROTOCOL = "websocket";

  private final Exchange exchange;
  private final HttpClientResponse in;
  private @Nullable NetSocket client;
  private @Nullable NetSocket target;
  private boolean agreed;

  Tunnel(Exchange exchange, HttpClientResponse in) {
    this.exchange = exchange;
    this.in = in;
  }

  /**
   * Whether a request asks to speak WebSocket. Other protocols are not offered to upstreams: one
   * that took a connection over in HTTP/2, say, would serve requests that nobody has counted.
   */
  static boolean isAskedFor(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_1_1 || !request.method().equals(HttpMethod.GET)) {
      return false;
    }
    List<String> protocols = request.headers().getAll("Upgrade");
    return protocols.size() == 1
        && protocols.get(0).strip().equalsIgnoreCase(PROTOCOL)
        && request.headers().getAll("Connection").stream().anyMatch(Tunnel::saysUpgrade);
  }

  private static boolean saysUpgrade(String connection) {
    for (String option : connection.split(",", -1)) {
      if (option.strip().equalsIgnoreCase("upgrade")) {
        return true;
      }
    }
    return false;
  }

  /** Tells the client that the upstream agreed. */
  void begin() {
    String protocol = in.headers().get("Upgrade");
    if (protocol == null || !protocol.strip().equalsIgnoreCase(PROTOCOL)) {
      exchange.fail(502, "the upstream switched to a protocol that was not asked for");
      return;
    }
    // Before anything is waited for: what comes meanwhile must not be lost.
    NetSocket far = in.netSocket();
    far.pause();
    target = far;
    copyHead();
    agreed = true;
    exchange.request.toNetSocket().onComplete(exchange.safely(this::joined));
  }

  /** Whether the client was told so: from then on it speaks no HTTP. */
  boolean isAgreed() {
    return agreed;
  }

  private void copyHead() {
    MultiMap out = exchange.response.headers();
    HopByHop hopByHop = HopByHop.of(in.headers());
    for (Map.Entry<String, String> field : in.headers()) {
      if (!hopByHop.covers(field.getKey().toLowerCase(Locale.ROOT))) {
        out.add(field.getKey(), field.getValue());
      }
    }
    exchange.admitted.fields().forEach(field -> out.set(field.name(), field.value()));
    out.set("Connection", "Upgrade");
    out.set("Upgrade", PROTOCOL);
  }

  private void joined(AsyncResult<NetSocket> result) {
    NetSocket far = target;
    if (exchange.isOver() || far == null) {
      if (result.succeeded()) {
        result.result().close();
      }
      return;
    }
    if (result.failed()) {
      exchange.fail(500, "the connection could not be turned into a WebSocket");
      return;
    }
    NetSocket near = result.result();
    client = near;
    exchange.patience.expectWithin(exchange.idleMillis(true));
    join(near, far);
    join(far, near);
    far.resume();
  }

  private void join(NetSocket one, NetSocket other) {
    one.handler(
        exchange.safely(
            bytes -> {
              if (exchange.isOver()) {
                return;
              }
              exchange.patience.progress();
              other.write(bytes);
              if (other.writeQueueFull()) {
                one.pause();
                other.drainHandler(exchange.safely(v -> drained(one)));
              }
            }));
    one.exceptionHandler(exchange.safely(cause -> ended()));
    one.endHandler(exchange.safely(v -> ended()));
    one.closeHandler(exchange.safely(v -> ended()));
  }

  private void drained(NetSocket paused) {
    exchange.patience.progress();
    paused.resume();
  }

  /** One side is gone: the other gets what was written to it, and is ended. */
  private void ended() {
    if (!exchange.isOver()) {
      exchange.over();
      cut();
    }
  }

  /** Ends both sides. */
  void cut() {
    if (client != null) {
      // What a paused connection has read already is kept by nobody but it.
      client.resume();
      client.end();
    }
    exchange.dropUpstream();
  }
}
