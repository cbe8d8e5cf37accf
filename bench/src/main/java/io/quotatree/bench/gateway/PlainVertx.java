package io.quotatree.bench.gateway;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.httpproxy.HttpProxy;

/** The proxy that Vert.x brings along, and nothing else: no limits, no fields of its own. */
public final class PlainVertx {

  private static final int CONNECTIONS = 1024;

  private PlainVertx() {}

  /** Listens on the first port, on a loop for each core, and passes on to the second. */
  public static void main(String[] ports) {
    int port = Integer.parseInt(ports[0]);
    int service = Integer.parseInt(ports[1]);
    Vertx.vertx(new VertxOptions().setPreferNativeTransport(true))
        .deployVerticle(
            () -> new OneLoop(port, service),
            new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors()))
        .onFailure(
            failure -> {
              System.err.println(failure);
              System.exit(1);
            });
  }

  private static final class OneLoop extends VerticleBase {

    private final int port;
    private final int service;

    OneLoop(int port, int service) {
      this.port = port;
      this.service = service;
    }

    @Override
    public Future<?> start() {
      var client = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(CONNECTIONS));
      return vertx
          .createHttpServer()
          .requestHandler(HttpProxy.reverseProxy(client).origin(service, "127.0.0.1"))
          .listen(port, "127.0.0.1");
    }
  }
}
