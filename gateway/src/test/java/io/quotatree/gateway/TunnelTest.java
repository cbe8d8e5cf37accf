package io.quotatree.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.gateway.proxy.Idle;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** WebSockets through the gateway. */
final class TunnelTest {

  private static final String[] ASKING = {
    "Connection: keep-alive, Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
  };

  private static final QuotaTree ONE =
      QuotaTree.empty().withCaller(Trees.callers(Quota.of(Allowance.UNLIMITED).withConcurrency(1)));

  private final List<AutoCloseable> open = new ArrayList<>();

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

  /** An upstream that agrees to whatever upgrade it is asked for, and is then the test's. */
  private RawUpstream agreeing(RawUpstream.Conversation then) {
    return closing(
        new RawUpstream(
            connection -> {
              if (connection.readHead()) {
                connection.write(
                    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                        + "Upgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\nhello");
                then.hold(connection);
              }
            }));
  }

  private RunningGateway gateway(QuotaTree tree, int port) {
    return closing(RunningGateway.of(tree).to(port).start());
  }

  private static String text(RawHttp client, int bytes) throws Exception {
    return new String(client.exactly(bytes), ISO_8859_1);
  }

  @Test
  void a_real_client_and_a_real_server_talk_through_it() throws Exception {
    TestUpstream upstream = closing(TestUpstream.echo());
    int port =
        upstream
            .vertx()
            .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
            .webSocketHandler(socket -> socket.binaryMessageHandler(socket::writeBinaryMessage))
            .listen()
            .toCompletionStage()
            .toCompletableFuture()
            .join()
            .actualPort();
    RunningGateway gateway = gateway(ONE, port);
    WebSocketClient client = upstream.vertx().createWebSocketClient();
    WebSocket socket =
        client
            .connect(gateway.port(), "127.0.0.1", "/chat?room=1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(20, TimeUnit.SECONDS);
    BlockingQueue<Buffer> heard = new LinkedBlockingQueue<>();
    socket.binaryMessageHandler(heard::add);
    for (int size : List.of(1, 100, 60_000)) {
      Buffer said = Buffer.buffer(new byte[size]);
      socket.writeBinaryMessage(said);
      assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(said);
    }
    socket.close();
    gateway.awaitQuiet();
  }

  @Test
  void bytes_pass_both_ways_and_the_permit_is_held_until_the_client_leaves() throws Exception {
    RawUpstream upstream =
        agreeing(
            connection -> {
              for (int c = connection.in().read(); c >= 0; c = connection.in().read()) {
                connection.write("<" + (char) c + ">");
              }
            });
    RunningGateway gateway = gateway(ONE, upstream.port());
    for (int i = 0; i < 100; i++) {
      RawHttp client = gateway.connect().sendHead("GET", "/chat", ASKING);
      RawHttp.Reply agreed = client.head();
      assertThat(agreed.status()).isEqualTo(101);
      assertThat(agreed.field("upgrade")).isEqualTo("websocket");
      assertThat(agreed.field("connection")).isEqualTo("Upgrade");
      assertThat(agreed.field("sec-websocket-accept")).isEqualTo("x");
      assertThat(text(client, 5)).isEqualTo("hello");
      client.send("ab");
      assertThat(text(client, 6)).isEqualTo("<a><b>");
      try (RawHttp other = gateway.connect()) {
        assertThat(other.ask("GET", "/chat", ASKING).status()).isEqualTo(429);
      }
      if (i % 2 == 0) {
        client.close();
      } else {
        client.vanish();
      }
      gateway.awaitQuiet();
    }
  }

  @Test
  void an_upstream_that_leaves_ends_it_for_the_client_who_gets_its_last_words() throws Exception {
    RawUpstream upstream = agreeing(connection -> connection.write("bye"));
    RunningGateway gateway = gateway(ONE, upstream.port());
    for (int i = 0; i < 100; i++) {
      try (RawHttp client = gateway.connect().sendHead("GET", "/chat", ASKING)) {
        assertThat(client.head().status()).isEqualTo(101);
        assertThat(text(client, 8)).isEqualTo("hellobye");
        assertThat(client.ended()).isTrue();
      }
      gateway.awaitQuiet();
    }
  }

  @Test
  void an_upstream_that_does_not_agree_answers_like_any_other() {
    TestUpstream upstream =
        closing(TestUpstream.that(request -> request.response().setStatusCode(403).end("no")));
    RunningGateway gateway = gateway(ONE, upstream.port());
    RawHttp client = closing(gateway.connect());
    for (int i = 0; i < 100; i++) {
      RawHttp.Reply reply = client.ask("GET", "/chat", ASKING);
      assertThat(reply.status()).isEqualTo(403);
      assertThat(reply.body()).isEqualTo("no");
      assertThat(client.ask("GET", "/plain").status()).isEqualTo(403);
    }
  }

  @Test
  void nothing_but_a_websocket_is_asked_of_the_upstream() {
    TestUpstream upstream = closing(TestUpstream.echo());
    RunningGateway gateway = gateway(ONE, upstream.port());
    RawHttp client = closing(gateway.connect());
    for (String[] other :
        List.of(
            new String[] {"Connection: Upgrade", "Upgrade: h2c"},
            new String[] {"Connection: Upgrade", "Upgrade: websocket", "Upgrade: h2c"},
            new String[] {"Upgrade: websocket"})) {
      RawHttp.Reply reply = client.ask("GET", "/", other);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).doesNotContainIgnoringCase("upgrade");
    }
    assertThat(client.ask("POST", "/", ASKING).body()).doesNotContainIgnoringCase("upgrade");
  }

  @Test
  void an_upstream_that_switches_to_something_else_is_a_502() {
    RawUpstream upstream =
        closing(
            new RawUpstream(
                connection -> {
                  connection.readHead();
                  connection.write(
                      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n");
                  connection.in().read();
                }));
    RunningGateway gateway = gateway(ONE, upstream.port());
    for (int i = 0; i < 10; i++) {
      RawHttp client = closing(gateway.connect());
      assertThat(client.ask("GET", "/", ASKING).status()).isEqualTo(502);
    }
  }

  @Test
  void one_where_nothing_moves_for_too_long_is_ended() {
    RawUpstream upstream = agreeing(connection -> connection.in().read());
    RunningGateway gateway =
        closing(
            RunningGateway.of(ONE)
                .to(upstream.port())
                .idle(new Idle(Duration.ofSeconds(20), Duration.ofMillis(50)))
                .start());
    try (RawHttp client = gateway.connect().sendHead("GET", "/chat", ASKING)) {
      assertThat(client.head().status()).isEqualTo(101);
      while (!client.ended()) {
        // Reads what the upstream said.
      }
    }
    gateway.awaitQuiet();
  }

  @Test
  void a_client_that_does_not_read_slows_the_upstream_down() throws Exception {
    AtomicLong written = new AtomicLong();
    CountDownLatch done = new CountDownLatch(1);
    open.add(done::countDown);
    String piece = "x".repeat(64 * 1024);
    RawUpstream upstream =
        agreeing(
            connection -> {
              while (done.getCount() > 0) {
                connection.write(piece);
                written.addAndGet(piece.length());
              }
            });
    RunningGateway gateway = gateway(ONE, upstream.port());
    RawHttp client = closing(gateway.connect());
    client.sendHead("GET", "/flood", ASKING);
    assertThat(client.head().status()).isEqualTo(101);
    Eventually.standsStill("the upstream", written::get);
    assertThat(written.get()).isLessThan(64L * 1024 * 1024);
    long before = written.get();
    client.exactly(1024 * 1024 * 8);
    Eventually.holds("it goes on", () -> written.get() > before);
    client.vanish();
    gateway.awaitQuiet();
  }

  @Test
  void draining_waits_for_it_and_ends_it_at_last() throws Exception {
    RawUpstream upstream = agreeing(connection -> connection.in().read());
    RunningGateway gateway = gateway(ONE, upstream.port());
    RawHttp client = closing(gateway.connect());
    client.sendHead("GET", "/chat", ASKING);
    assertThat(client.head().status()).isEqualTo(101);
    assertThat(text(client, 5)).isEqualTo("hello");
    gateway.gateway.drain(Duration.ofMillis(200));
    assertThat(client.ended()).isTrue();
    gateway.awaitQuiet();
  }
}
