package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.time.ManualTicker;
import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.proxy.ProxyHandler;
import io.quotatree.gateway.proxy.UpstreamClients;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * G4 at the gateway: however a request ends, its permit in flight comes back, and only once.
 *
 * <p>Each ending happens a hundred times under a quota of five in flight; then exactly five more
 * are admitted at once.
 */
final class ReleaseTest {

  private static final int IN_FLIGHT = 5;
  private static final int TIMES = 100;

  private static final QuotaTree FIVE =
      QuotaTree.empty()
          .withNode(
              new NodeLines(
                  Quota.of(Allowance.UNLIMITED).withConcurrency(IN_FLIGHT), null, List.of()));

  private final List<AutoCloseable> open = new ArrayList<>();
  private final Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();

  @AfterAll
  static void nothingWasLost() {
    LeakRecorder.assertNoLeak();
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private <T extends AutoCloseable> T closing(T closeable) {
    open.add(closeable);
    return closeable;
  }

  /** An upstream that answers /held when the test says so, and all else by its path at once. */
  private TestUpstream upstream() {
    return closing(TestUpstream.that(this::answer));
  }

  private void answer(HttpServerRequest request) {
    switch (String.valueOf(request.path())) {
      case "/held" -> held.add(request);
      case "/left" -> {
        // Never answered: its client has left.
      }
      case "/chunked" -> {
        request.response().setChunked(true).write("a");
        request.response().end("b");
      }
      case "/204" -> request.response().setStatusCode(204).end();
      case "/304" -> request.response().setStatusCode(304).end();
      case "/early" -> request.response().setStatusCode(413).end("too much");
      case "/endless" -> {
        request.response().setChunked(true).write("x".repeat(10_000));
        held.add(request);
      }
      default -> request.response().end("fine");
    }
  }

  /**
   * Five are admitted at once and the sixth is not: nothing leaked, and nothing came back twice.
   */
  private void assertFiveFit(RunningGateway gateway) {
    gateway.awaitQuiet();
    held.clear();
    List<RawHttp> clients = new ArrayList<>();
    for (int i = 0; i < IN_FLIGHT; i++) {
      RawHttp client = closing(gateway.connect());
      client.sendHead("GET", "/held");
      clients.add(client);
    }
    Eventually.holds("five at the upstream", () -> held.size() == IN_FLIGHT);
    RawHttp sixth = closing(gateway.connect());
    assertThat(sixth.ask("GET", "/").status()).isEqualTo(429);
    held.forEach(request -> request.response().end("at last"));
    clients.forEach(client -> assertThat(client.reply().body()).isEqualTo("at last"));
    assertThat(sixth.ask("GET", "/").status()).isEqualTo(200);
  }

  private RunningGateway gateway(int... ports) {
    return closing(RunningGateway.of(FIVE).to(ports).start());
  }

  @Test
  void answers_of_every_form() {
    RunningGateway gateway = gateway(upstream().port());
    RawHttp client = closing(gateway.connect());
    for (int i = 0; i < TIMES; i++) {
      assertThat(client.ask("GET", "/").status()).isEqualTo(200);
      assertThat(client.ask("HEAD", "/").status()).isEqualTo(200);
      assertThat(client.ask("GET", "/chunked").body()).isEqualTo("ab");
      assertThat(client.ask("GET", "/204").status()).isEqualTo(204);
      assertThat(client.ask("GET", "/304").status()).isEqualTo(304);
    }
    assertFiveFit(gateway);
  }

  @Test
  void a_client_that_has_read_its_answer_meets_no_permit_of_its_own() {
    QuotaTree one =
        QuotaTree.empty()
            .withNode(
                new NodeLines(Quota.of(Allowance.UNLIMITED).withConcurrency(1), null, List.of()));
    RunningGateway gateway = closing(RunningGateway.of(one).to(upstream().port()).start());
    RawHttp first = closing(gateway.connect());
    RawHttp second = closing(gateway.connect());
    for (int i = 0; i < TIMES; i++) {
      assertThat(first.ask("GET", "/").status()).isEqualTo(200);
      assertThat(second.ask("GET", "/chunked").status()).isEqualTo(200);
    }
  }

  @Test
  void an_upstream_that_cannot_be_reached() {
    RawUpstream gone = new RawUpstream(connection -> {});
    gone.close();
    RunningGateway gateway = gateway(gone.port());
    RawHttp client = closing(gateway.connect());
    for (int i = 0; i < TIMES; i++) {
      RawHttp.Reply reply = client.ask("GET", "/");
      assertThat(reply.status()).isEqualTo(502);
      assertThat(reply.field("content-type")).isEqualTo("application/problem+json");
    }
    gateway.awaitQuiet();
    assertThat(gateway.underWay.requests()).isZero();
  }

  private void endsWith(int status, RawUpstream.Conversation conversation) {
    RawUpstream bad = closing(new RawUpstream(conversation));
    RunningGateway gateway = gateway(bad.port());
    RawHttp client = closing(gateway.connect());
    for (int i = 0; i < TIMES; i++) {
      assertThat(client.ask("GET", "/").status()).isEqualTo(status);
    }
    gateway.awaitQuiet();
    // One permit too few, and one of these would be a 429; the bad upstream answers all of them.
    for (int i = 0; i < IN_FLIGHT; i++) {
      assertThat(client.ask("GET", "/").status()).isEqualTo(status);
    }
  }

  @Test
  void an_upstream_that_hangs_up() {
    endsWith(502, RawUpstream.Connection::readHead);
  }

  @Test
  void an_upstream_that_speaks_no_http() {
    endsWith(
        502,
        connection -> {
          connection.readHead();
          connection.write("SSH-2.0-OpenSSH\r\n");
        });
  }

  @Test
  void an_upstream_that_switches_protocols_unasked() {
    endsWith(
        502,
        connection -> {
          connection.readHead();
          connection.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n");
        });
  }

  @Test
  void an_upstream_that_breaks_off_in_the_middle_of_its_answer() {
    RawUpstream bad =
        closing(
            new RawUpstream(
                connection -> {
                  connection.readHead();
                  connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
                }));
    RunningGateway gateway = gateway(bad.port());
    for (int i = 0; i < TIMES; i++) {
      try (RawHttp client = gateway.connect()) {
        assertThat(client.sendHead("GET", "/").head().status()).isEqualTo(200);
        for (int half = 0; half < 4; half++) {
          assertThat(client.ended()).isFalse();
        }
        assertThat(client.ended()).as("cut off, so that it is not taken for whole").isTrue();
      }
    }
    gateway.awaitQuiet();
    try (RawHttp client = gateway.connect()) {
      assertThat(client.sendHead("GET", "/").head().status()).isEqualTo(200);
    }
  }

  @Test
  void an_upstream_that_stays_silent() {
    RawUpstream silent =
        closing(
            new RawUpstream(
                connection -> {
                  while (connection.in().read() >= 0) {
                    // Reads all and says nothing, until the gateway hangs up.
                  }
                }));
    RunningGateway gateway =
        closing(RunningGateway.of(FIVE).to(Duration.ofMillis(20), silent.port()).start());
    for (int round = 0; round < TIMES / IN_FLIGHT; round++) {
      List<RawHttp> clients = new ArrayList<>();
      for (int i = 0; i < IN_FLIGHT; i++) {
        clients.add(gateway.connect().sendHead("GET", "/"));
      }
      for (RawHttp client : clients) {
        assertThat(client.reply().status()).isEqualTo(504);
        client.close();
      }
    }
  }

  @Test
  void clients_that_leave_while_the_upstream_works() {
    TestUpstream upstream = upstream();
    RunningGateway gateway = gateway(upstream.port());
    for (int i = 0; i < TIMES; i++) {
      RawHttp client = gateway.connect().sendHead("GET", "/left");
      int arrived = i + 1;
      Eventually.holds("request " + arrived, () -> upstream.requests.get() == arrived);
      leave(client, i);
      gateway.awaitQuiet();
    }
    assertFiveFit(gateway);
  }

  @Test
  void clients_that_leave_at_once() {
    RunningGateway gateway = gateway(upstream().port());
    for (int i = 0; i < TIMES; i++) {
      leave(gateway.connect().sendHead("GET", "/left"), i);
    }
    // Those that come after have been answered: so the ones before have been seen.
    for (int i = 0; i < 10 * RunningGateway.EVENT_LOOPS; i++) {
      try (RawHttp client = gateway.connect()) {
        assertThat(client.ask("GET", "/").status()).isIn(200, 429);
      }
    }
    assertFiveFit(gateway);
  }

  @Test
  void clients_that_leave_while_they_send() {
    RunningGateway gateway = gateway(upstream().port());
    for (int i = 0; i < TIMES; i++) {
      RawHttp client =
          gateway.connect().sendHead("POST", "/left", "Content-Length: 1000").send("some");
      Eventually.holds("one under way", () -> gateway.underWay.requests() == 1);
      leave(client, i);
      gateway.awaitQuiet();
    }
    assertFiveFit(gateway);
  }

  @Test
  void clients_that_leave_while_they_read() {
    RunningGateway gateway = gateway(upstream().port());
    for (int i = 0; i < TIMES; i++) {
      RawHttp client = gateway.connect().sendHead("GET", "/endless");
      assertThat(client.head().status()).isEqualTo(200);
      leave(client, i);
      gateway.awaitQuiet();
    }
    assertFiveFit(gateway);
  }

  /** Half of them say goodbye, the others are gone from one moment to the next. */
  private static void leave(RawHttp client, int i) {
    if (i % 2 == 0) {
      client.close();
    } else {
      client.vanish();
    }
  }

  @Test
  void an_answer_before_the_body_was_sent() {
    RunningGateway gateway = gateway(upstream().port());
    for (int i = 0; i < TIMES; i++) {
      try (RawHttp client = gateway.connect()) {
        client.sendHead("POST", "/early", "Content-Length: 1000000").send("some");
        assertThat(client.reply().status()).isEqualTo(413);
      }
    }
    assertFiveFit(gateway);
  }

  @Test
  void a_body_that_is_no_body() {
    RunningGateway gateway = gateway(upstream().port());
    for (int i = 0; i < TIMES; i++) {
      try (RawHttp client = gateway.connect()) {
        client.sendHead("POST", "/held", "Transfer-Encoding: chunked").send("zz\r\nno chunk\r\n");
        assertThat(client.reply().status()).isEqualTo(400);
        assertThat(client.ended()).isTrue();
      }
    }
    assertFiveFit(gateway);
  }

  @Test
  void bodies_that_stop_coming() {
    RunningGateway gateway =
        closing(RunningGateway.of(FIVE).to(upstream().port()).idle(Duration.ofMillis(20)).start());
    for (int round = 0; round < TIMES / IN_FLIGHT; round++) {
      List<RawHttp> clients = new ArrayList<>();
      for (int i = 0; i < IN_FLIGHT; i++) {
        clients.add(gateway.connect().sendHead("POST", "/held", "Content-Length: 10").send("some"));
      }
      for (RawHttp client : clients) {
        assertThat(client.reply().status()).isEqualTo(408);
        client.close();
      }
    }
    gateway.awaitQuiet();
  }

  @Test
  void mistakes_between_decision_and_answer() {
    AtomicBoolean broken = new AtomicBoolean();
    Ticker breaking =
        new Ticker() {
          private final Ticker whole = new ManualTicker(RunningGateway.START);

          @Override
          public long monotonicNanos() {
            return whole.monotonicNanos();
          }

          @Override
          public long wallMicros(long monotonicNanos) {
            if (broken.get()) {
              throw new IllegalStateException("a clock that a test broke");
            }
            return whole.wallMicros(monotonicNanos);
          }
        };
    RunningGateway gateway =
        closing(RunningGateway.of(FIVE).to(upstream().port()).shownTime(breaking).start());
    RawHttp client = closing(gateway.connect());
    broken.set(true);
    for (int i = 0; i < TIMES; i++) {
      assertThat(client.ask("GET", "/").status()).isEqualTo(500);
    }
    broken.set(false);
    assertFiveFit(gateway);
  }

  @Test
  void mistakes_on_the_way_to_the_upstream() throws Exception {
    RunningGateway gateway = gateway(upstream().port());
    HttpClient broken =
        (HttpClient)
            Proxy.newProxyInstance(
                HttpClient.class.getClassLoader(),
                new Class<?>[] {HttpClient.class},
                (proxy, method, arguments) -> {
                  throw new IllegalStateException("a client that a test broke");
                });
    Vertx vertx = Vertx.vertx();
    open.add(() -> vertx.close().toCompletionStage().toCompletableFuture().join());
    int port =
        vertx
            .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
            .requestHandler(
                new ProxyHandler(gateway.parts, vertx, new UpstreamClients(broken, broken)))
            .listen()
            .toCompletionStage()
            .toCompletableFuture()
            .join()
            .actualPort();
    RawHttp client = closing(RawHttp.connect(port));
    for (int i = 0; i < TIMES; i++) {
      assertThat(client.ask("GET", "/").status()).isEqualTo(500);
    }
    assertFiveFit(gateway);
  }

  @Test
  void clients_that_leave_while_the_upstream_does_not_read() {
    CountDownLatch done = new CountDownLatch(1);
    open.add(done::countDown);
    RawUpstream deaf = closing(new RawUpstream(connection -> done.await()));
    RunningGateway gateway =
        closing(RunningGateway.of(FIVE).to(Duration.ofMillis(100), deaf.port()).start());
    for (int i = 0; i < IN_FLIGHT; i++) {
      RawHttp client = gateway.connect().sendHead("POST", "/", "Content-Length: 100000000");
      fill(client);
      client.vanish();
    }
    gateway.awaitQuiet();
    for (int i = 0; i < IN_FLIGHT; i++) {
      assertThat(closing(gateway.connect()).ask("GET", "/").status()).isEqualTo(504);
    }
  }

  @Test
  void answers_that_stand_still_while_nobody_reads_the_body() {
    CountDownLatch done = new CountDownLatch(1);
    open.add(done::countDown);
    RawUpstream deaf =
        closing(
            new RawUpstream(
                connection -> {
                  connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
                  done.await();
                }));
    RunningGateway gateway =
        closing(RunningGateway.of(FIVE).to(deaf.port()).idle(Duration.ofMillis(100)).start());
    for (int i = 0; i < IN_FLIGHT + 1; i++) {
      RawHttp client = gateway.connect().sendHead("POST", "/", "Content-Length: 100000000");
      fill(client);
      client.vanish();
      gateway.awaitQuiet();
    }
  }

  /** Sends until the gateway has given up on the upstream, and ended the connection. */
  private static void fill(RawHttp client) {
    try {
      for (int i = 0; i < 1_000; i++) {
        client.send(new byte[100_000]);
      }
    } catch (UncheckedIOException e) {
      // That is what it waited for.
    }
  }

  @Test
  void a_gateway_that_ends() throws InterruptedException {
    RunningGateway gateway = gateway(upstream().port());
    RawHttp client = closing(gateway.connect()).sendHead("GET", "/held");
    Eventually.holds("one held", () -> held.size() == 1);
    CountDownLatch drained = new CountDownLatch(1);
    Thread drain =
        new Thread(
            () -> {
              gateway.gateway.drain(Duration.ofSeconds(20));
              drained.countDown();
            });
    drain.start();
    Eventually.holds("no new connections", () -> refuses(gateway.port()));
    held.remove().response().end("at last");
    RawHttp.Reply reply = client.reply();
    assertThat(reply.body()).isEqualTo("at last");
    assertThat(reply.field("connection")).isEqualTo("close");
    assertThat(drained.await(20, TimeUnit.SECONDS)).isTrue();
  }

  private static boolean refuses(int port) {
    try (RawHttp client = RawHttp.connect(port)) {
      return client.sendHead("GET", "/").ended();
    } catch (UncheckedIOException e) {
      return true;
    }
  }
}
