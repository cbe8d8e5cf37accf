package io.quotatree.gateway.server;

import io.quotatree.gateway.admin.AdminHandler;
import io.quotatree.gateway.proxy.ProxyHandler;
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
    IdleConnections connections = new IdleConnections(vertx, settings.keepAlive());
    return vertx
        .createHttpServer(HttpLimits.server(settings.admin()))
        .connectionHandler(connections::opened)
        .invalidRequestHandler(ProxyHandler::refuseUnreadable)
        .requestHandler(connections.noting(new AdminHandler(vertx, parts, settings.admin().host())))
        .listen()
        .onSuccess(listening::accept);
  }
}
