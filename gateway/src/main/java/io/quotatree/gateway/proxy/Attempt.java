package io.quotatree.gateway.proxy;

import io.quotatree.observe.UpstreamMeters.Failure;
import io.vertx.core.AsyncResult;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import org.jspecify.annotations.Nullable;

/**
 * One try of a request at one target: from the wish for a connection to the head of the answer.
 *
 * <p>Once dropped it does nothing more, whatever comes.
 */
final class Attempt {

  private static final long CANCEL = 0x8;

  private final Exchange exchange;
  private final Seat seat;
  private final RequestBody body;
  private final boolean upgrade;

  private @Nullable HttpClientRequest out;
  private @Nullable HttpClientResponse in;
  private boolean headSent;
  private boolean bodySent;
  private boolean dropped;

  Attempt(Exchange exchange, Seat seat) {
    this.exchange = exchange;
    this.seat = seat;
    this.body = exchange.body;
    this.upgrade =
        body.isNone() && !seat.target().transport().http2() && Tunnel.isAskedFor(exchange.request);
  }

  Seat seat() {
    return seat;
  }

  boolean asksToUpgrade() {
    return upgrade;
  }

  boolean wasConnected() {
    return out != null;
  }

  boolean bodySent() {
    return bodySent;
  }

  /** Whether the client's body is what everything waits for. */
  boolean awaitsBody() {
    return out != null && !bodySent && !out.writeQueueFull();
  }

  /**
   * Whether another target may get the request. Without a connection nothing was sent, so all may;
   * with one the target may have begun to work, so the request must be idempotent, and no byte of
   * its body may be gone. What took too long once would do so again.
   */
  boolean mayBeRepeated(UpstreamFailure failure) {
    if (!failure.blamesTarget()) {
      return false;
    }
    if (out == null) {
      return true;
    }
    return failure.kind() != Failure.TIMEOUT
        && !body.begun()
        && isIdempotent(exchange.request.method().name());
  }

  private static boolean isIdempotent(String method) {
    return switch (method) {
      case "GET", "HEAD", "OPTIONS", "PUT", "DELETE" -> true;
      default -> false;
    };
  }

  void begin() {
    Target target = seat.target();
    exchange.patience.expectWithin(exchange.timeoutMillis());
    RequestOptions options =
        new RequestOptions()
            .setMethod(exchange.request.method())
            .setHost(target.host())
            .setPort(target.port())
            .setSsl(target.transport().encrypted())
            .setURI(exchange.admitted.destination().uri())
            .setConnectTimeout(exchange.timeoutMillis());
    exchange
        .loop
        .clients()
        .of(target)
        .request(options)
        .onComplete(exchange.safely(this::connected));
  }

  private void connected(AsyncResult<HttpClientRequest> result) {
    if (dropped) {
      if (result.succeeded()) {
        giveBack(result.result());
      }
    } else if (result.failed()) {
      exchange.failed(this, result.cause());
    } else {
      send(result.result());
    }
  }

  /** Gives back a connection that was wished for by a request that is over. */
  private static void giveBack(HttpClientRequest unused) {
    unused.exceptionHandler(t -> {});
    if (unused.version() == HttpVersion.HTTP_2) {
      // A stream that was never opened would not be given back to the pool.
      unused.end();
    }
    unused.reset(CANCEL);
  }

  private void send(HttpClientRequest request) {
    out = request;
    request.exceptionHandler(exchange.safely(cause -> exchange.failed(this, cause)));
    request.response().onComplete(exchange.safely(this::answered));
    ForwardedFields.copy(exchange.admitted, exchange.request, seat.target(), request.headers());
    headSent = true;
    if (upgrade) {
      bodySent = true;
      ForwardedFields.upgrade(request.headers());
      request.connect();
    } else if (body.isNone()) {
      bodySent = true;
      request.end();
    } else {
      sendBody(request);
      return;
    }
    exchange.patience.progress();
  }

  private void sendBody(HttpClientRequest request) {
    request.setChunked(!body.isSized());
    body.sayContinue();
    exchange.patience.expectWithin(exchange.idleMillis(exchange.standsOpen()));
    boolean anySent =
        body.flow(
            exchange.safely(chunk -> pass(request, chunk)), exchange.safely(v -> sent(request)));
    // Whatever of the body was there already went out with the head; else the head goes alone.
    if (!anySent && !bodySent && !dropped) {
      request.sendHead();
    }
  }

  private void pass(HttpClientRequest request, Buffer chunk) {
    if (dropped) {
      return;
    }
    request.write(chunk);
    if (request.writeQueueFull()) {
      body.pause();
      expect(exchange.timeoutMillis());
      request.drainHandler(exchange.safely(v -> drained()));
    } else {
      exchange.patience.progress();
    }
  }

  private void drained() {
    if (!dropped) {
      expect(exchange.idleMillis(exchange.standsOpen()));
      body.resume();
    }
  }

  private void sent(HttpClientRequest request) {
    if (dropped) {
      return;
    }
    bodySent = true;
    request.end();
    expect(exchange.timeoutMillis());
  }

  /** Once the answer has begun, it is the answer that the time is for. */
  private void expect(long millis) {
    if (exchange.isAnswering()) {
      exchange.patience.progress();
    } else {
      exchange.patience.expectWithin(millis);
    }
  }

  private void answered(AsyncResult<HttpClientResponse> result) {
    if (dropped) {
      return;
    }
    if (result.failed()) {
      exchange.failed(this, result.cause());
    } else {
      HttpClientResponse answer = result.result();
      in = answer;
      answer.exceptionHandler(exchange.safely(exchange::brokeOff));
      exchange.answered(this, answer);
    }
  }

  /** Leaves the target: a connection that carries half a request is of no use to others. */
  void drop() {
    if (dropped) {
      return;
    }
    dropped = true;
    HttpClientRequest request = out;
    if (request == null) {
      return;
    }
    request.reset(CANCEL);
    if (in != null) {
      // What a paused connection has read already is kept by nobody but it.
      in.resume();
    }
    if (headSent && request.version() != HttpVersion.HTTP_2) {
      request.connection().close();
    }
  }
}
