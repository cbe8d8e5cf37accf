package io.quotatree.app;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.util.Map;

/** The service that the demo protects, on a free loopback port: it answers with what arrived. */
final class DemoUpstream implements AutoCloseable {

  private static final String LOOPBACK = "127.0.0.1";

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final HttpServer server;

  DemoUpstream() {
    server =
        vertx
            .createHttpServer(new HttpServerOptions().setHost(LOOPBACK).setPort(0))
            .requestHandler(DemoUpstream::answer)
            .listen()
            .toCompletionStage()
            .toCompletableFuture()
            .join();
  }

  private static void answer(HttpServerRequest request) {
    JsonObject headers = new JsonObject();
    for (Map.Entry<String, String> field : request.headers()) {
      headers.put(field.getKey(), field.getValue());
    }
    Buffer seen =
        Buffer.buffer(
            new JsonObject()
                    .put("method", request.method().name())
                    .put("uri", request.uri())
                    .put("headers", headers)
                    .encodePrettily()
                + "\n");
    request
        .response()
        .putHeader("Content-Type", "application/json")
        .putHeader("Content-Length", Integer.toString(seen.length()))
        .end(seen);
  }

  URI uri() {
    return URI.create("http://" + LOOPBACK + ":" + server.actualPort());
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
