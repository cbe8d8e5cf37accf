package io.quotatree.gateway.server;

import io.quotatree.gateway.admin.AdminHandler;
import io.quotatree.gateway.proxy.ProxyHandler;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A running gateway: its proxy, on one event loop a core, and its admin address.
 *
 * <p>Starting and ending wait until it is done. Safe for use by several threads.
 */
public final class Gateway implements AutoCloseable {

  private static final Duration START_WAIT = Duration.ofSeconds(30);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

  private final Vertx vertx;
  private final ProxyHandler.Parts proxy;
  private final Queue<HttpServer> proxyServers;
  private final Address listen;
  private final Address admin;

  private Gateway(
      Vertx vertx,
      ProxyHandler.Parts proxy,
      Queue<HttpServer> proxyServers,
      Address listen,
      Address admin) {
    this.vertx = vertx;
    this.proxy = proxy;
    this.proxyServers = proxyServers;
    this.listen = listen;
    this.admin = admin;
  }

  /**
   * Starts a gateway; when this returns it answers.
   *
   * @throws ListenException if one of its addresses cannot be listened on; nothing runs then
   */
  public static Gateway start(Settings settings, ProxyHandler.Parts proxy, AdminHandler.Parts admin)
      throws ListenException {
    Vertx vertx = Vertx.vertx(options(settings));
    try {
      Queue<HttpServer> proxyServers = new ConcurrentLinkedQueue<>();
      Future<String> requests =
          vertx.deployVerticle(
              () -> new ProxyVerticle(settings, proxy, proxyServers::add),
              new DeploymentOptions().setInstances(settings.eventLoops()));
      Address listen = settings.listen().found(await(requests, settings.listen(), proxyServers));
      Queue<HttpServer> adminServers = new ConcurrentLinkedQueue<>();
      Future<String> admins =
          vertx.deployVerticle(new AdminVerticle(settings, admin, adminServers::add));
      Address adminFound = settings.admin().found(await(admins, settings.admin(), adminServers));
      return new Gateway(vertx, proxy, proxyServers, listen, adminFound);
    } catch (ListenException | RuntimeException e) {
      waitFor(vertx.close(), CLOSE_WAIT);
      throw e;
    }
  }

  private static VertxOptions options(Settings settings) {
    return new VertxOptions()
        .setPreferNativeTransport(true)
        // One more than the proxy has: the admin address must answer when the proxy is busy.
        .setEventLoopPoolSize(settings.eventLoops() + 1)
        .setFileSystemOptions(
            new FileSystemOptions()
                .setClassPathResolvingEnabled(false)
                .setFileCachingEnabled(false));
  }

  private static int await(Future<String> deployed, Address address, Queue<HttpServer> servers)
      throws ListenException {
    Throwable failure = waitFor(deployed, START_WAIT);
    if (failure != null) {
      throw new ListenException(address, failure);
    }
    return Objects.requireNonNull(servers.peek(), "a server that listens").actualPort();
  }

  /** Where the proxy listens; with the port that was found where any was asked for. */
  public Address listen() {
    return listen;
  }

  /** Where the admin address is; with the port that was found where any was asked for. */
  public Address admin() {
    return admin;
  }

  /**
   * Ends the gateway in good order: takes no more connections, finishes what is under way, and cuts
   * off what takes longer than allowed.
   *
   * @param atMost how long requests under way may take
   * @return how many requests were cut off
   */
  public long drain(Duration atMost) {
    proxy.underWay().end();
    List<Future<Void>> ended =
        proxyServers.stream()
            .map(server -> server.shutdown(atMost.toMillis(), TimeUnit.MILLISECONDS))
            .toList();
    waitFor(Future.join(ended), atMost);
    long left = proxy.underWay().requests();
    close();
    return left;
  }

  /** Ends the gateway at once; requests under way are cut off. */
  @Override
  public void close() {
    waitFor(vertx.close(), CLOSE_WAIT);
  }

  /** Waits for an end; says what went wrong, or null if nothing did. */
  private static @Nullable Throwable waitFor(Future<?> future, Duration atMost) {
    try {
      future
          .toCompletionStage()
          .toCompletableFuture()
          .get(atMost.toMillis(), TimeUnit.MILLISECONDS);
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (TimeoutException e) {
      return e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return e;
    }
  }
}
