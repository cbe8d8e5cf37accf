package io.quotatree.gateway.server;

import io.quotatree.gateway.proxy.AnswerWriter;
import io.quotatree.gateway.proxy.ProxyHandler;
import io.quotatree.gateway.proxy.UpstreamClients;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.internal.ContextInternal;
import java.util.function.Consumer;

/** The proxy on one event loop: its share of the clients' connections, and its own to upstreams. */
final class ProxyVerticle extends VerticleBase {

  private final Front front;
  private final ProxyHandler.Parts parts;
  private final Consumer<HttpServer> listening;

  /**
   * What the proxy's event loops have in common towards clients.
   *
   * @param options of the server
   * @param connections of the clients
   * @param guard asked about each request
   */
  record Front(HttpServerOptions options, ClientConnections connections, Guard guard) {}

  ProxyVerticle(Front front, ProxyHandler.Parts parts, Consumer<HttpServer> listening) {
    this.front = front;
    this.parts = parts;
    this.listening = listening;
  }

  @Override
  public Future<?> start() {
    // Clients of its own: their connections stay on this loop, so an exchange never changes
    // threads.
    UpstreamClients clients =
        new UpstreamClients(client(HttpLimits.client()), client(HttpLimits.http2Client()));
    front.connections().on(((ContextInternal) context).nettyEventLoop());
    return vertx
        .createHttpServer(front.options())
        .connectionHandler(connection -> ClientConnection.of(connection).taken(connection))
        .invalidRequestHandler(Unreadable::refuse)
        .requestHandler(
            new Arrivals(
                front.guard(),
                new AnswerWriter(vertx, parts.underWay()),
                new ProxyHandler(parts, vertx, clients)))
        .listen()
        .onSuccess(listening::accept);
  }

  private HttpClient client(HttpClientOptions options) {
    return vertx.httpClientBuilder().with(options).with(HttpLimits.pool()).build();
  }
}
