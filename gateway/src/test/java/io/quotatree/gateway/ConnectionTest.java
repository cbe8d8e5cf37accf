package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.QuotaTree;
import io.vertx.core.http.HttpServerRequest;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long connections live, on both sides. */
final class ConnectionTest {

  private final Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
  private final TestUpstream upstream = TestUpstream.that(this::answer);
  private final List<AutoCloseable> open = new ArrayList<>();

  private void answer(HttpServerRequest request) {
    if ("/held".equals(request.path())) {
      held.add(request);
    } else if ("/early".equals(request.path())) {
      request.response().setStatusCode(413).end("too much");
    } else if ("/unframed".equals(request.path())) {
      request.response().setChunked(true).end("of any length");
    } else {
      request.response().end(String.valueOf(request.remoteAddress().port()));
    }
  }

  private RunningGateway gateway(Duration keepAlive) {
    RunningGateway gateway =
        RunningGateway.of(QuotaTree.empty()).to(upstream.port()).keepAlive(keepAlive).start();
    open.add(gateway);
    return gateway;
  }

  private RawHttp connect(RunningGateway gateway) {
    RawHttp client = gateway.connect();
    open.add(client);
    return client;
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    upstream.close();
  }

  @Test
  void connections_to_an_upstream_are_used_again() {
    RawHttp client = connect(gateway(Duration.ofSeconds(75)));
    String port = client.ask("GET", "/").body();
    for (int i = 0; i < 20; i++) {
      assertThat(client.ask("GET", "/").body()).isEqualTo(port);
    }
  }

  @Test
  void a_connection_without_requests_is_closed_and_so_is_one_whose_head_does_not_end() {
    RunningGateway gateway = gateway(Duration.ofMillis(50));
    RawHttp silent = connect(gateway);
    RawHttp slow = connect(gateway).send("GET / HTTP/1.1\r\nHost: h\r\n");
    RawHttp answered = connect(gateway);
    assertThat(answered.ask("GET", "/").status()).isEqualTo(200);
    assertThat(silent.ended()).isTrue();
    assertThat(slow.ended()).isTrue();
    assertThat(answered.ended()).isTrue();
  }

  @Test
  void a_head_that_comes_drop_by_drop_has_its_time_however_often_a_drop_comes() {
    RunningGateway gateway =
        RunningGateway.of(QuotaTree.empty())
            .to(upstream.port())
            .patience(Duration.ofHours(1), Duration.ofMillis(100))
            .start();
    open.add(gateway);
    RawHttp atFirst = connect(gateway);
    RawHttp later = connect(gateway);
    assertThat(later.ask("GET", "/").status()).isEqualTo(200);
    for (RawHttp slow : List.of(atFirst, later)) {
      slow.send("GET / HTTP/1.1\r\nHost: h\r\n");
      Eventually.holds("it is let go", () -> !slow.stillTakes("X-A: 1\r\n"));
    }
  }

  @Test
  void a_client_that_is_between_two_requests_has_the_longer_time() {
    RunningGateway gateway =
        RunningGateway.of(QuotaTree.empty())
            .to(upstream.port())
            .patience(Duration.ofHours(1), Duration.ofMillis(20))
            .start();
    open.add(gateway);
    RawHttp idle = connect(gateway);
    assertThat(idle.ask("GET", "/").status()).isEqualTo(200);
    RawHttp silent = connect(gateway);
    RawHttp witness = connect(gateway).send("GET /");
    assertThat(witness.ended()).as("a head that does not end is closed meanwhile").isTrue();
    assertThat(idle.ask("GET", "/").status()).isEqualTo(200);
    assertThat(silent.ask("GET", "/").status()).isEqualTo(200);
  }

  @Test
  void a_head_has_bounds() {
    RunningGateway gateway = gateway(Duration.ofSeconds(75));
    String[] hundred = new String[99];
    Arrays.fill(hundred, "X-A: 1");
    assertThat(connect(gateway).ask("GET", "/", hundred).status()).isEqualTo(200);
    String[] more = new String[100];
    Arrays.fill(more, "X-A: 1");
    RawHttp tooMany = connect(gateway);
    assertThat(tooMany.ask("GET", "/", more).status()).isEqualTo(431);
    assertThat(tooMany.ended()).isTrue();
    assertThat(connect(gateway).ask("GET", "/", "X-A: " + "a".repeat(9000)).status())
        .isEqualTo(431);
    assertThat(connect(gateway).ask("GET", "/" + "a".repeat(5000)).status()).isEqualTo(414);
  }

  @Test
  @Timeout(60)
  void silent_connections_do_not_hold_up_the_end() {
    RunningGateway gateway = gateway(Duration.ofSeconds(75));
    RawHttp silent = connect(gateway);
    RawHttp idle = connect(gateway);
    assertThat(idle.ask("GET", "/").status()).isEqualTo(200);
    assertThat(gateway.gateway.drain(Duration.ofHours(1))).isZero();
    assertThat(silent.ended()).isTrue();
    assertThat(idle.ended()).isTrue();
  }

  @Test
  void a_request_whose_head_has_begun_when_the_end_comes_is_still_answered() {
    RunningGateway gateway = gateway(Duration.ofSeconds(75));
    RawHttp client = connect(gateway).send("GET / HTTP/1.1\r\nHo");
    // Another loop's turn and back: what was sent before is there.
    for (int i = 0; i < 10; i++) {
      assertThat(connect(gateway).ask("GET", "/").status()).isEqualTo(200);
    }
    CompletableFuture<Long> cut =
        CompletableFuture.supplyAsync(() -> gateway.gateway.drain(Duration.ofSeconds(20)));
    Eventually.holds("no more connections are taken", () -> !isTaken(gateway.port()));
    client.send("st: h\r\n\r\n");
    RawHttp.Reply reply = client.reply();
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.field("connection")).isEqualTo("close");
    assertThat(cut.join()).isZero();
  }

  private static boolean isTaken(int port) {
    try (RawHttp another = RawHttp.connect(port)) {
      return true;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  @Test
  void a_connection_whose_request_is_under_way_stays_open_however_long_it_takes() {
    RunningGateway gateway = gateway(Duration.ofMillis(20));
    RawHttp client = connect(gateway).sendHead("GET", "/held");
    RawHttp witness = connect(gateway);
    assertThat(witness.ended()).as("what is idle is closed meanwhile").isTrue();
    RawHttp another = connect(gateway);
    assertThat(another.ended()).isTrue();
    held.remove().response().end("at last");
    assertThat(client.reply().body()).isEqualTo("at last");
  }

  @Test
  void an_answer_of_unknown_length_ends_with_its_connection_for_http_1_0() {
    RunningGateway gateway = gateway(Duration.ofSeconds(75));
    RawHttp client = connect(gateway);
    client.send("GET /unframed HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    RawHttp.Reply reply = client.reply();
    assertThat(reply.has("transfer-encoding")).isFalse();
    assertThat(reply.field("connection")).isEqualTo("close");
    assertThat(reply.body()).isEqualTo("of any length");
  }

  @Test
  void a_short_body_of_a_request_that_is_turned_away_leaves_the_connection_usable() {
    RawHttp client = connect(gateway(Duration.ofSeconds(75)));
    client.send("POST /%zz HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello");
    assertThat(client.reply().status()).isEqualTo(400);
    assertThat(client.ask("GET", "/").status()).isEqualTo(200);
  }

  @Test
  void a_connection_to_an_upstream_that_carries_half_a_body_is_not_used_again() {
    RunningGateway gateway = gateway(Duration.ofSeconds(75));
    for (int i = 0; i < 10; i++) {
      RawHttp early = connect(gateway).sendHead("POST", "/early", "Content-Length: 100").send("so");
      assertThat(early.reply().status()).isEqualTo(413);
      assertThat(connect(gateway).ask("GET", "/").status()).isEqualTo(200);
    }
  }

  @Test
  void whoever_sends_a_long_body_that_nobody_wants_can_read_the_answer() {
    RawHttp client = connect(gateway(Duration.ofSeconds(75)));
    client.send("POST /%zz HTTP/1.1\r\nHost: h\r\nContent-Length: 900000\r\n\r\n");
    for (int i = 0; i < 9; i++) {
      client.send(new byte[100_000]);
    }
    assertThat(client.reply().status()).isEqualTo(400);
  }

  @Test
  void a_long_body_of_a_request_that_is_turned_away_ends_the_connection_after_the_answer() {
    RawHttp client = connect(gateway(Duration.ofSeconds(75)));
    client.send("POST /%zz HTTP/1.1\r\nHost: h\r\nContent-Length: 9000000\r\n\r\nhello");
    RawHttp.Reply reply = client.reply();
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.field("connection")).isEqualTo("close");
    assertThat(client.ended()).isTrue();
  }

  @Test
  void one_that_waits_for_a_100_and_is_turned_away_gets_none() {
    RawHttp client = connect(gateway(Duration.ofSeconds(75)));
    client.send(
        "POST /%zz HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    assertThat(client.reply().status()).isEqualTo(400);
    assertThat(client.ended()).isTrue();
  }

  @Test
  void targets_take_turns() {
    TestUpstream second = TestUpstream.that(request -> request.response().end("second"));
    open.add(second);
    RunningGateway gateway =
        RunningGateway.of(QuotaTree.empty()).to(upstream.port(), second.port()).start();
    open.add(gateway);
    RawHttp client = connect(gateway);
    for (int i = 0; i < 10; i++) {
      client.ask("GET", "/");
    }
    assertThat(upstream.requests).hasValue(5);
    assertThat(second.requests).hasValue(5);
  }
}
