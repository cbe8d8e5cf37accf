package io.quotatree.gateway.server;

import io.quotatree.gateway.proxy.ProxyHandler;
import io.quotatree.gateway.proxy.UpstreamClients;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import java.util.function.Consumer;

/** The proxy on one event loop: its share of the clients' connections, and its own to upstreams. */
final class ProxyVerticle extends VerticleBase {

  private final Settings settings;
  private final ProxyHandler.Parts parts;
  private final Consumer<HttpServer> listening;

  ProxyVerticle(Settings settings, ProxyHandler.Parts parts, Consumer<HttpServer> listening) {
    this.settings = settings;
    this.parts = parts;
    this.listening = listening;
  }

  @Override
  public Future<?> start() {
    // Clients of its own: their connections stay on this loop, so an exchange never changes
    // threads.
    UpstreamClients clients =
        new UpstreamClients(client(HttpLimits.client()), client(HttpLimits.http2Client()));
    IdleConnections connections = new IdleConnections(vertx, settings.keepAlive());
    return vertx
        .createHttpServer(HttpLimits.sharedServer(settings.listen()))
        .connectionHandler(connections::opened)
        .invalidRequestHandler(ProxyHandler::refuseUnreadable)
        .requestHandler(connections.noting(new ProxyHandler(parts, vertx, clients)))
        .listen()
        .onSuccess(listening::accept);
  }

  private HttpClient client(HttpClientOptions options) {
    return vertx.httpClientBuilder().with(options).with(HttpLimits.pool()).build();
  }
}
