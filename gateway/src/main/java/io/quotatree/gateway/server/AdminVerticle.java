package io.quotatree.gateway.server;

import io.quotatree.gateway.admin.AdminHandler;
import io.quotatree.gateway.proxy.AnswerWriter;
import io.quotatree.gateway.proxy.UnderWay;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import java.util.function.Consumer;

/** The admin address on an event loop of its own. */
final class AdminVerticle extends VerticleBase {

  private final Settings settings;
  private final AdminHandler.Parts parts;
  private final Consumer<HttpServer> listening;

  AdminVerticle(Settings settings, AdminHandler.Parts parts, Consumer<HttpServer> listening) {
    this.settings = settings;
    this.parts = parts;
    this.listening = listening;
  }

  @Override
  public Future<?> start() {
    return vertx
        .createHttpServer(HttpLimits.server(settings.admin(), settings.neighbours()))
        .connectionHandler(connection -> ClientConnection.of(connection).taken(connection))
        .invalidRequestHandler(Unreadable::refuse)
        .requestHandler(
            new Arrivals(
                Guard.OPEN,
                new AnswerWriter(vertx, new UnderWay()),
                new AdminHandler(vertx, parts, settings.admin().host())))
        .listen()
        .onSuccess(listening::accept);
  }
}
