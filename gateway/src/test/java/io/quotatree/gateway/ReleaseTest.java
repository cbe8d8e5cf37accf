package io.quotatree.gateway;

import static io.quotatree.gateway.FivePermits.FIVE;
import static io.quotatree.gateway.FivePermits.IN_FLIGHT;
import static io.quotatree.gateway.FivePermits.TIMES;
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
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

  private final FivePermits permits = new FivePermits();
  private final Opened open = permits.open;

  @AfterAll
  static void nothingWasLost() {
    LeakRecorder.assertNoLeak();
  }

  @AfterEach
  void stop() throws Exception {
    permits.close();
  }

  @Test
  void answers_of_every_form() {
    RunningGateway gateway = permits.gateway(permits.upstream().port());
    RawHttp client = open.add(gateway.connect());
    for (int i = 0; i < TIMES; i++) {
      assertThat(client.ask("GET", "/").status()).isEqualTo(200);
      assertThat(client.ask("HEAD", "/").status()).isEqualTo(200);
      assertThat(client.ask("GET", "/chunked").body()).isEqualTo("ab");
      assertThat(client.ask("GET", "/204").status()).isEqualTo(204);
      assertThat(client.ask("GET", "/304").status()).isEqualTo(304);
    }
    permits.assertFiveFit(gateway);
  }

  @Test
  void a_client_that_has_read_its_answer_meets_no_permit_of_its_own() {
    QuotaTree one =
        QuotaTree.empty()
            .withNode(
                new NodeLines(Quota.of(Allowance.UNLIMITED).withConcurrency(1), null, List.of()));
    RunningGateway gateway = open.add(RunningGateway.of(one).to(permits.upstream().port()).start());
    RawHttp first = open.add(gateway.connect());
    RawHttp second = open.add(gateway.connect());
    for (int i = 0; i < TIMES; i++) {
      assertThat(first.ask("GET", "/").status()).isEqualTo(200);
      assertThat(second.ask("GET", "/chunked").status()).isEqualTo(200);
    }
  }

  @Test
  void clients_that_leave_while_the_upstream_works() {
    TestUpstream upstream = permits.upstream();
    RunningGateway gateway = permits.gateway(upstream.port());
    for (int i = 0; i < TIMES; i++) {
      RawHttp client = gateway.connect().sendHead("GET", "/left");
      int arrived = i + 1;
      Eventually.holds("request " + arrived, () -> upstream.requests.get() == arrived);
      leave(client, i);
      gateway.awaitQuiet();
    }
    permits.assertFiveFit(gateway);
  }

  @Test
  void clients_that_leave_at_once() {
    RunningGateway gateway = permits.gateway(permits.upstream().port());
    for (int i = 0; i < TIMES; i++) {
      leave(gateway.connect().sendHead("GET", "/left"), i);
    }
    // Those that come after have been answered: so the ones before have been seen.
    for (int i = 0; i < 10 * RunningGateway.EVENT_LOOPS; i++) {
      try (RawHttp client = gateway.connect()) {
        assertThat(client.ask("GET", "/").status()).isIn(200, 429);
      }
    }
    permits.assertFiveFit(gateway);
  }

  @Test
  void clients_that_leave_while_they_send() {
    RunningGateway gateway = permits.gateway(permits.upstream().port());
    for (int i = 0; i < TIMES; i++) {
      RawHttp client =
          gateway.connect().sendHead("POST", "/left", "Content-Length: 1000").send("some");
      Eventually.holds("one under way", () -> gateway.underWay.requests() == 1);
      leave(client, i);
      gateway.awaitQuiet();
    }
    permits.assertFiveFit(gateway);
  }

  @Test
  void clients_that_leave_while_they_read() {
    RunningGateway gateway = permits.gateway(permits.upstream().port());
    for (int i = 0; i < TIMES; i++) {
      RawHttp client = gateway.connect().sendHead("GET", "/endless");
      assertThat(client.head().status()).isEqualTo(200);
      leave(client, i);
      gateway.awaitQuiet();
    }
    permits.assertFiveFit(gateway);
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
    RunningGateway gateway = permits.gateway(permits.upstream().port());
    for (int i = 0; i < TIMES; i++) {
      try (RawHttp client = gateway.connect()) {
        client.sendHead("POST", "/early", "Content-Length: 1000000").send("some");
        assertThat(client.reply().status()).isEqualTo(413);
      }
    }
    permits.assertFiveFit(gateway);
  }

  @Test
  void a_body_that_is_no_body() {
    RunningGateway gateway = permits.gateway(permits.upstream().port());
    for (int i = 0; i < TIMES; i++) {
      try (RawHttp client = gateway.connect()) {
        client.sendHead("POST", "/held", "Transfer-Encoding: chunked").send("zz\r\nno chunk\r\n");
        assertThat(client.reply().status()).isEqualTo(400);
        assertThat(client.ended()).isTrue();
      }
    }
    permits.assertFiveFit(gateway);
  }

  @Test
  void bodies_that_stop_coming() {
    RunningGateway gateway =
        open.add(
            RunningGateway.of(FIVE)
                .to(permits.upstream().port())
                .idle(Duration.ofMillis(20))
                .start());
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
        open.add(RunningGateway.of(FIVE).to(permits.upstream().port()).shownTime(breaking).start());
    RawHttp client = open.add(gateway.connect());
    broken.set(true);
    for (int i = 0; i < TIMES; i++) {
      assertThat(client.ask("GET", "/").status()).isEqualTo(500);
    }
    broken.set(false);
    permits.assertFiveFit(gateway);
  }

  @Test
  void mistakes_on_the_way_to_the_upstream() throws Exception {
    RunningGateway gateway = permits.gateway(permits.upstream().port());
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
    RawHttp client = open.add(RawHttp.connect(port));
    for (int i = 0; i < TIMES; i++) {
      assertThat(client.ask("GET", "/").status()).isEqualTo(500);
    }
    permits.assertFiveFit(gateway);
  }

  @Test
  void clients_that_leave_while_the_upstream_does_not_read() {
    CountDownLatch done = new CountDownLatch(1);
    open.add(done::countDown);
    RawUpstream deaf = open.add(new RawUpstream(connection -> done.await()));
    RunningGateway gateway =
        open.add(RunningGateway.of(FIVE).to(Duration.ofMillis(100), deaf.port()).start());
    for (int i = 0; i < IN_FLIGHT; i++) {
      RawHttp client = gateway.connect().sendHead("POST", "/", "Content-Length: 100000000");
      fill(client);
      client.vanish();
    }
    gateway.awaitQuiet();
    for (int i = 0; i < IN_FLIGHT; i++) {
      assertThat(open.add(gateway.connect()).ask("GET", "/").status()).isEqualTo(504);
    }
  }

  @Test
  void answers_that_stand_still_while_nobody_reads_the_body() {
    CountDownLatch done = new CountDownLatch(1);
    open.add(done::countDown);
    RawUpstream deaf =
        open.add(
            new RawUpstream(
                connection -> {
                  connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
                  done.await();
                }));
    RunningGateway gateway =
        open.add(RunningGateway.of(FIVE).to(deaf.port()).idle(Duration.ofMillis(100)).start());
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
    RunningGateway gateway = permits.gateway(permits.upstream().port());
    RawHttp client = open.add(gateway.connect()).sendHead("GET", "/held");
    Eventually.holds("one held", () -> permits.held.size() == 1);
    CountDownLatch drained = new CountDownLatch(1);
    Thread drain =
        new Thread(
            () -> {
              gateway.gateway.drain(Duration.ofSeconds(20));
              drained.countDown();
            });
    drain.start();
    Eventually.holds("no new connections", () -> refuses(gateway.port()));
    permits.held.remove().response().end("at last");
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
