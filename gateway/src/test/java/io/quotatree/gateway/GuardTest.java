package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Rate;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.gateway.server.Guard;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The bounds of the gateway as a whole. */
final class GuardTest {

  private static final int ANY = Integer.MAX_VALUE;

  private final Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
  private final TestUpstream upstream = TestUpstream.that(this::answer);
  private final List<AutoCloseable> open = new ArrayList<>();

  private void answer(HttpServerRequest request) {
    if ("/held".equals(request.path())) {
      held.add(request);
    } else {
      request.response().end("answer");
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    upstream.close();
  }

  private RunningGateway gateway(QuotaTree tree, Guard.Bounds bounds) {
    RunningGateway gateway = RunningGateway.of(tree).to(upstream.port()).guard(bounds).start();
    open.add(gateway);
    return gateway;
  }

  private RawHttp connect(RunningGateway gateway) {
    RawHttp client = gateway.connect();
    open.add(client);
    return client;
  }

  @Test
  void a_rate_is_kept_exactly_and_what_is_over_it_touches_no_quota() {
    RunningGateway gateway =
        gateway(
            Trees.node(Trees.bucket(12, Duration.ofHours(1))),
            new Guard.Bounds(Rate.of(10, 1_000_000), ANY, ANY));
    RawHttp client = connect(gateway);
    for (int i = 0; i < 10; i++) {
      assertThat(client.ask("GET", "/").status()).isEqualTo(200);
    }
    for (int i = 0; i < 20; i++) {
      RawHttp.Reply over = client.ask("GET", "/");
      assertThat(over.status()).isEqualTo(503);
      assertThat(over.field("retry-after")).isEqualTo("1");
      assertThat(over.field("content-type")).isEqualTo("application/problem+json");
      assertThat(over.has("x-ratelimit-scope")).isFalse();
    }
    gateway.ticker.advance(Duration.ofMillis(100));
    assertThat(client.ask("GET", "/").status()).isEqualTo(200);
    assertThat(client.ask("GET", "/").status()).isEqualTo(503);
    gateway.ticker.advance(Duration.ofMillis(200));
    assertThat(client.ask("GET", "/").status()).isEqualTo(200);
    assertThat(client.ask("GET", "/").status()).as("the node's quota").isEqualTo(429);
    assertThat(upstream.requests).hasValue(12);
    assertThat(gateway.guard.keptOutBy(Guard.Bound.RATE)).isEqualTo(21);
  }

  @Test
  void a_preflight_meets_the_guard_and_health_is_free() {
    RunningGateway gateway =
        gateway(QuotaTree.empty(), new Guard.Bounds(Rate.of(1, 60_000_000), ANY, ANY));
    assertThat(connect(gateway).ask("GET", "/").status()).isEqualTo(200);
    String[] preflight = {"Origin: https://shop.example", "Access-Control-Request-Method: POST"};
    assertThat(connect(gateway).ask("OPTIONS", "/", preflight).status()).isEqualTo(503);
    try (RawHttp admin = RawHttp.connect(gateway.adminPort())) {
      admin.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(admin.reply().status()).isEqualTo(200);
    }
  }

  @Test
  void requests_at_the_same_time_are_counted_from_their_head_to_the_end_of_their_answer() {
    RunningGateway gateway = gateway(QuotaTree.empty(), new Guard.Bounds(null, 2, ANY));
    RawHttp first = connect(gateway).sendHead("GET", "/held");
    RawHttp second = connect(gateway).sendHead("GET", "/held");
    Eventually.holds("two are held", () -> held.size() == 2);
    RawHttp third = connect(gateway);
    assertThat(third.ask("GET", "/").status()).isEqualTo(503);
    held.remove().response().end("one");
    RawHttp answered = first.available() ? first : second;
    assertThat(answered.reply().status()).isEqualTo(200);
    assertThat(third.ask("GET", "/").status()).isEqualTo(200);
    (answered == first ? second : first).vanish();
    gateway.awaitQuiet();
    RawHttp fourth = connect(gateway).sendHead("GET", "/held");
    RawHttp fifth = connect(gateway).sendHead("GET", "/held");
    Eventually.holds("three are held", () -> held.size() == 3);
    assertThat(third.ask("GET", "/").status()).isEqualTo(503);
    fourth.vanish();
    fifth.vanish();
    gateway.awaitQuiet();
    Eventually.holds("there is room", () -> third.ask("GET", "/").status() == 200);
    assertThat(gateway.guard.keptOutBy(Guard.Bound.IN_FLIGHT)).isGreaterThanOrEqualTo(2);
  }

  @Test
  void a_connection_too_many_is_answered_and_closed_and_one_that_ends_makes_room() {
    RunningGateway gateway = gateway(QuotaTree.empty(), new Guard.Bounds(null, ANY, 3));
    RawHttp one = connect(gateway);
    assertThat(one.ask("GET", "/").status()).isEqualTo(200);
    assertThat(connect(gateway).ask("GET", "/").status()).isEqualTo(200);
    assertThat(connect(gateway).ask("GET", "/").status()).isEqualTo(200);
    RawHttp fourth = connect(gateway);
    assertThat(fourth.reply().status()).isEqualTo(503);
    assertThat(fourth.ended()).isTrue();
    assertThat(one.ask("GET", "/").status()).isEqualTo(200);
    one.close();
    Eventually.holds("there is room", () -> answers(gateway));
    assertThat(gateway.guard.keptOutBy(Guard.Bound.CONNECTIONS)).isPositive();
  }

  private static boolean answers(RunningGateway gateway) {
    try (RawHttp client = gateway.connect()) {
      client.trySend(
          "GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      return client.reply().status() == 200;
    } catch (java.io.UncheckedIOException e) {
      return false;
    }
  }

  @Test
  void what_it_kept_out_is_a_metric() {
    RunningGateway gateway =
        gateway(QuotaTree.empty(), new Guard.Bounds(Rate.of(1, 60_000_000), ANY, ANY));
    RawHttp client = connect(gateway);
    client.ask("GET", "/");
    client.ask("GET", "/");
    assertThat(gateway.page.scrape())
        .contains("quotatree_guard_kept_out_total{bound=\"rate\"} 1.0")
        .contains("quotatree_guard_kept_out_total{bound=\"in_flight\"} 0.0")
        .contains("quotatree_guard_kept_out_total{bound=\"connections\"} 0.0");
  }
}
