package io.quotatree.gateway;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
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
        request ->
            request
                .body()
                .onSuccess(
                    body -> {
                      JsonObject headers = new JsonObject();
                      request
                          .headers()
                          .names()
                          .forEach(
                              name ->
                                  headers.put(
                                      name.toLowerCase(java.util.Locale.ROOT),
                                      new JsonArray(request.headers().getAll(name))));
                      request
                          .response()
                          .putHeader("Content-Type", "application/json")
                          .end(
                              new JsonObject()
                                  .put("method", request.method().name())
                                  .put("uri", request.uri())
                                  .put("headers", headers)
                                  .put("body", body.toString())
                                  .encode());
                    }));
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
