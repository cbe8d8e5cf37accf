package io.quotatree.gateway;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** A service behind the gateway, on a free loopback port. */
final class TestUpstream implements AutoCloseable {

  private final Vertx vertx = Vertx.vertx();
  private final int port;
  final AtomicInteger requests = new AtomicInteger();

  private TestUpstream(Handler<HttpServerRequest> handler) {
    port =
        vertx
            .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
            .requestHandler(
                request -> {
                  requests.incrementAndGet();
                  handler.handle(request);
                })
            .listen()
            .toCompletionStage()
            .toCompletableFuture()
            .join()
            .actualPort();
  }

  /** One that answers what it was sent, as JSON. */
  static TestUpstream echo() {
    return new TestUpstream(
        request -> request.body().onSuccess(body -> tell(request, body.toString())));
  }

  private static void tell(HttpServerRequest request, String body) {
    JsonObject headers = new JsonObject();
    for (String name : request.headers().names()) {
      headers.put(name.toLowerCase(Locale.ROOT), new JsonArray(request.headers().getAll(name)));
    }
    Buffer seen =
        new JsonObject()
            .put("method", request.method().name())
            .put("uri", request.uri())
            .put("headers", headers)
            .put("body", body)
            .toBuffer();
    request
        .response()
        .putHeader("Content-Type", "application/json")
        .putHeader("Content-Length", Integer.toString(seen.length()))
        .end(seen);
  }

  static TestUpstream that(Handler<HttpServerRequest> handler) {
    return new TestUpstream(handler);
  }

  Vertx vertx() {
    return vertx;
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
