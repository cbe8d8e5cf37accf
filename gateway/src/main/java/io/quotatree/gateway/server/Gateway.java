package io.quotatree.gateway.server;

import io.quotatree.gateway.admin.AdminHandler;
import io.quotatree.gateway.calls.Call;
import io.quotatree.gateway.decision.DecisionHandler;
import io.quotatree.gateway.proxy.ProxyHandler;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.impl.transports.TransportInternal;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway: its proxy, on one event loop a core, and its admin address.
 *
 * <p>Starting and ending wait until it is done. Safe for use by several threads.
 */
public final class Gateway implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Gateway.class);

  private static final Duration START_WAIT = Duration.ofSeconds(30);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

  /**
   * How long clients that are between two requests have to hear of the end: a request that is on
   * its way when a connection is closed would be lost.
   */
  private static final Duration FAREWELL = Duration.ofSeconds(1);

  /** A negative port is any free one, the same for all that ask by the same number. */
  private static final int ANY_DECISION_PORT = -2;

  private final Vertx vertx;
  private final Settings settings;
  private final ProxyHandler.Parts proxy;
  private final Front front;
  private final Address listen;
  private final Address admin;

  /** What other addresses speak TLS by. */
  private final Queue<Certificates> others = new ConcurrentLinkedQueue<>();

  /**
   * What faces the clients.
   *
   * @param listener the proxy's address
   * @param servers one for each event loop; written while it starts
   * @param certificates what TLS is spoken by; empty for none
   * @param address where it is
   * @param neighbours whether others may share the address
   */
  private record Front(
      Listener listener,
      Queue<HttpServer> servers,
      Optional<Certificates> certificates,
      Address address,
      Settings.Neighbours neighbours) {
    Front at(Address found) {
      return new Front(listener, servers, certificates, found, neighbours);
    }
  }

  /** Two threads: what waits for a store must not hold up what only looks at the time. */
  private final ScheduledExecutorService repeating =
      Executors.newScheduledThreadPool(2, Gateway::repeating);

  private Gateway(
      Vertx vertx, Settings settings, ProxyHandler.Parts proxy, Front front, Address admin) {
    this.vertx = vertx;
    this.settings = settings;
    this.proxy = proxy;
    this.front = front;
    this.listen = front.address();
    this.admin = admin;
  }

  /**
   * Starts a gateway; when this returns it answers.
   *
   * @throws ListenException if one of its addresses cannot be listened on; nothing runs then
   * @throws TlsException if the files that it is to speak TLS by cannot be used; nothing runs then
   */
  public static Gateway start(
      Settings settings, Guard guard, ProxyHandler.Parts proxy, AdminHandler.Parts admin)
      throws ListenException, TlsException {
    HttpServerOptions options = HttpLimits.sharedServer(settings.listen(), settings.neighbours());
    ClientConnections connections = new ClientConnections(settings.patience());
    Listener listener = new Listener(connections, guard);
    Listener others = new Listener(new ClientConnections(settings.patience()), Guard.OPEN);
    Vertx vertx = vertx(settings, of -> isAt(of, options) ? listener : others);
    try {
      Optional<Certificates> certificates = certificates(vertx, settings, options);
      Front front =
          new Front(
              listener,
              new ConcurrentLinkedQueue<>(),
              certificates,
              settings.listen(),
              settings.neighbours());
      Future<String> requests =
          vertx.deployVerticle(
              () ->
                  new ProxyVerticle(
                      new ProxyVerticle.Front(options, connections, guard),
                      proxy,
                      front.servers()::add),
              new DeploymentOptions().setInstances(settings.eventLoops()));
      Address listen = settings.listen().found(await(requests, settings.listen(), front.servers()));
      certificates.ifPresent(read -> read.follow(front.servers().element()));
      Queue<HttpServer> adminServers = new ConcurrentLinkedQueue<>();
      Future<String> admins =
          vertx.deployVerticle(new AdminVerticle(settings, admin, adminServers::add));
      Address adminFound = settings.admin().found(await(admins, settings.admin(), adminServers));
      return new Gateway(vertx, settings, proxy, front.at(listen), adminFound);
    } catch (ListenException | TlsException | RuntimeException e) {
      waitFor(vertx.close(), CLOSE_WAIT);
      throw e;
    }
  }

  private static Optional<Certificates> certificates(
      Vertx vertx, Settings settings, HttpServerOptions options) throws TlsException {
    if (settings.tls().isEmpty()) {
      return Optional.empty();
    }
    Certificates certificates = new Certificates(vertx, settings.tls().get());
    certificates.configure(options);
    return Optional.of(certificates);
  }

  /** The server makes copies of its options; its address tells whose they are. */
  private static boolean isAt(NetServerOptions some, NetServerOptions wanted) {
    return some.getPort() == wanted.getPort() && some.getHost().equals(wanted.getHost());
  }

  /**
   * Whether somebody listens on an address already. Gateways share addresses, so that one can take
   * over from another; two that meet by mistake would each grant the whole of the quotas.
   */
  public static boolean isTaken(Address address) {
    if (address.port() == 0) {
      return false;
    }
    // Without the option to share, the system lets nobody beside another.
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(address.host(), address.port()));
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static Vertx vertx(Settings settings, Function<NetServerOptions, Listener> listeners) {
    Transport transport = Transport.nativeTransport();
    if (transport == null || !transport.available()) {
      transport = Transport.NIO;
    }
    return Vertx.builder()
        .with(options(settings))
        .withTransport(
            new TransportInternal(
                transport.name(), true, null, new Doors(transport.implementation(), listeners)))
        .build();
  }

  private static VertxOptions options(Settings settings) {
    return new VertxOptions()
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

  /**
   * Answers the decision API on an address of its own, over TLS where the proxy does; when this
   * returns it answers.
   *
   * @param credentials what admits to it
   * @return the address, with the port that was found where any was asked for
   * @throws ListenException if it cannot be listened on
   * @throws TlsException if the files that it is to speak TLS by cannot be used
   */
  public Address decideAt(
      Address address, DecisionHandler.Credentials credentials, List<Call> calls)
      throws ListenException, TlsException {
    HttpServerOptions options = HttpLimits.server(address, settings.neighbours());
    if (address.port() == 0) {
      options.setPort(ANY_DECISION_PORT);
    }
    Optional<Certificates> certificates = certificates(vertx, settings, options);
    Queue<HttpServer> servers = new ConcurrentLinkedQueue<>();
    Future<String> deployed =
        vertx.deployVerticle(
            () -> new DecisionVerticle(options, credentials, calls, servers::add),
            new DeploymentOptions().setInstances(settings.eventLoops()));
    Address found = address.found(await(deployed, address, servers));
    certificates.ifPresent(
        read -> {
          read.follow(servers.element());
          others.add(read);
        });
    return found;
  }

  /**
   * Does something again and again, on a thread that may be busy for a while, for as long as the
   * gateway runs.
   */
  public void each(Duration pause, Runnable action) {
    long millis = pause.toMillis();
    ScheduledFuture<?> unused =
        repeating.scheduleWithFixedDelay(
            () -> doneOnce(action), millis, millis, TimeUnit.MILLISECONDS);
  }

  /** Does something soon, by one of the threads that {@link #each} has; it may wait. */
  public void soon(Runnable action) {
    if (!repeating.isShutdown()) {
      repeating.execute(() -> doneOnce(action));
    }
  }

  private static void doneOnce(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException mistake) {
      log.error("something that a gateway does by itself", mistake);
    }
  }

  private static Thread repeating(Runnable work) {
    Thread thread = new Thread(work, "quotatree-repeating");
    thread.setDaemon(true);
    return thread;
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
   * Ends the gateway in good order: takes no more connections, tells clients that the end comes,
   * finishes what is under way, and cuts off what takes longer than allowed.
   *
   * @param atMost how long all of that may take
   * @return how many requests were cut off
   */
  public long drain(Duration atMost) {
    long startNanos = ClientConnection.CLOCK.monotonicNanos();
    proxy.underWay().end();
    waitFor(front.listener().leave(front.neighbours()), atMost);
    ClientConnections connections = front.listener().connections();
    waitFor(connections.tellOfEnd(), FAREWELL.compareTo(atMost) < 0 ? FAREWELL : atMost);
    connections.closeSilent();
    Duration left = atMost.minusNanos(ClientConnection.CLOCK.monotonicNanos() - startNanos);
    if (!left.isNegative() && !left.isZero()) {
      List<Future<Void>> ended =
          front.servers().stream()
              .map(server -> server.shutdown(left.toMillis(), TimeUnit.MILLISECONDS))
              .toList();
      waitFor(Future.join(ended), left);
    }
    long cut = proxy.underWay().requests();
    close();
    return cut;
  }

  /** Ends the gateway at once; requests under way are cut off. */
  @Override
  public void close() {
    front.certificates().ifPresent(Certificates::close);
    others.forEach(Certificates::close);
    repeating.shutdown();
    waitFor(vertx.close(), CLOSE_WAIT);
  }

  private static @Nullable Throwable waitFor(Future<?> future, Duration atMost) {
    return waitFor(future.toCompletionStage().toCompletableFuture(), atMost);
  }

  /** Waits for an end; says what went wrong, or null if nothing did. */
  private static @Nullable Throwable waitFor(CompletableFuture<?> future, Duration atMost) {
    try {
      future.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
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
