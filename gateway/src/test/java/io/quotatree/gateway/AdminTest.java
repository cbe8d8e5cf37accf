package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.QuotaTree;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Health, readiness and metrics on the admin address. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AdminTest {

  private final TestUpstream upstream = TestUpstream.echo();
  private final RunningGateway gateway =
      RunningGateway.of(QuotaTree.empty()).to(upstream.port()).start();
  private RawHttp admin = RawHttp.connect(gateway.adminPort());

  @BeforeEach
  void connect() {
    admin.close();
    admin = RawHttp.connect(gateway.adminPort());
  }

  @AfterAll
  void stop() {
    admin.close();
    gateway.close();
    upstream.close();
  }

  private RawHttp.Reply get(String path, String host, String... lines) {
    StringBuilder head = new StringBuilder("GET " + path + " HTTP/1.1\r\n");
    if (!host.isEmpty()) {
      head.append("Host: ").append(host).append("\r\n");
    }
    for (String line : lines) {
      head.append(line).append("\r\n");
    }
    return admin.send(head + "\r\n").reply();
  }

  @Test
  void health_says_that_it_is_alive() {
    RawHttp.Reply reply = get("/healthz", "localhost");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("{\"status\":\"alive\"}");
  }

  @Test
  void readiness_tells_revision_and_store() {
    RawHttp.Reply reply = get("/readyz", "127.0.0.1:9090");
    assertThat(reply.status()).isEqualTo(200);
    JsonObject body = new JsonObject(reply.body());
    assertThat(body.getString("status")).isEqualTo("ready");
    assertThat(body.getLong("revision")).isEqualTo(1);
    assertThat(body.getString("loaded_at")).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(body.getJsonObject("store").getString("state")).isEqualTo("memory");
  }

  @Test
  void metrics_count_the_decisions() {
    try (RawHttp client = gateway.connect()) {
      client.ask("GET", "/");
      client.ask("GET", "/");
    }
    RawHttp.Reply reply = get("/metrics", "localhost:9090");
    assertThat(reply.field("content-type")).startsWith("text/plain; version=0.0.4");
    assertThat(reply.body())
        .contains("quotatree_decisions_total{layer=\"none\",outcome=\"allowed\"} 2.0")
        .contains("quotatree_in_flight 0.0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "LOCALHOST:1", "127.0.0.1", "127.8.9.1:80", "[::1]", "[::1]:9090"})
  void loopback_names_are_answered(String host) {
    assertThat(get("/healthz", host).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "10.0.0.1",
        "evil.example:9090",
        "a b",
        ""
      })
  void other_names_are_refused_since_a_page_could_have_led_here(String host) {
    RawHttp.Reply reply = get("/healthz", host);
    assertThat(reply.status()).isEqualTo(403);
    assertThat(reply.field("content-type")).isEqualTo("application/problem+json");
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:3000, 200",
    "http://127.0.0.1, 200",
    "https://[::1]:8, 200",
    "https://evil.example, 403",
    "null, 403",
    "http://localhost.evil.example, 403"
  })
  void a_foreign_origin_is_refused(String origin, int status) {
    assertThat(get("/healthz", "localhost", "Origin: " + origin).status()).isEqualTo(status);
  }

  @Test
  void what_is_not_there_is_a_404_and_what_cannot_be_written_a_405() {
    assertThat(get("/admin", "localhost").status()).isEqualTo(404);
    assertThat(get("/healthz/", "localhost").status()).isEqualTo(404);
    RawHttp.Reply post =
        admin
            .send("POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
            .reply();
    assertThat(post.status()).isEqualTo(405);
    assertThat(post.field("allow")).isEqualTo("GET, HEAD");
    RawHttp.Reply head = admin.send("HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").head();
    assertThat(head.status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:3000, 403",
    "http://localhost, 403",
    "http://127.0.0.1:9090, 403",
    "null, 403",
    "http://evil.example, 403",
    "http://localhost:9090, 404"
  })
  void a_page_may_change_something_only_from_this_very_address(String origin, int status) {
    RawHttp.Reply reply =
        admin
            .send(
                "POST /nothing HTTP/1.1\r\nHost: localhost:9090\r\nOrigin: "
                    + origin
                    + "\r\nContent-Length: 0\r\n\r\n")
            .reply();
    assertThat(reply.status()).isEqualTo(status);
  }

  @Test
  void a_gateway_answers_to_its_own_name() {
    assertThat(get("/healthz", "gateway-01:9090").status()).isEqualTo(200);
  }
}
