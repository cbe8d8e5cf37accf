package io.quotatree.gateway.server;

import io.quotatree.gateway.calls.Call;
import io.quotatree.gateway.decision.DecisionHandler;
import io.quotatree.gateway.proxy.AnswerWriter;
import io.quotatree.gateway.proxy.UnderWay;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.util.List;
import java.util.function.Consumer;

/** The decision address on one event loop. */
final class DecisionVerticle extends VerticleBase {

  private final HttpServerOptions options;
  private final DecisionHandler.Credentials credentials;
  private final List<Call> calls;
  private final Consumer<HttpServer> listening;

  DecisionVerticle(
      HttpServerOptions options,
      DecisionHandler.Credentials credentials,
      List<Call> calls,
      Consumer<HttpServer> listening) {
    this.options = options;
    this.credentials = credentials;
    this.calls = calls;
    this.listening = listening;
  }

  @Override
  public Future<?> start() {
    return vertx
        .createHttpServer(options)
        .connectionHandler(connection -> ClientConnection.of(connection).taken(connection))
        .invalidRequestHandler(Unreadable::refuse)
        .requestHandler(
            new Arrivals(
                Guard.OPEN,
                new AnswerWriter(vertx, new UnderWay()),
                new DecisionHandler(vertx, credentials, calls)))
        .listen()
        .onSuccess(listening::accept);
  }
}
