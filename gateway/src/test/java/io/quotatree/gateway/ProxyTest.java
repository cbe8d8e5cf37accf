package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.QuotaTree;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What reaches an upstream, and what comes back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ProxyTest {

  private final TestUpstream upstream = TestUpstream.echo();
  private final RunningGateway gateway =
      RunningGateway.of(QuotaTree.empty()).to(upstream.port()).start();
  private RawHttp client = gateway.connect();

  @BeforeEach
  void connect() {
    client.close();
    client = gateway.connect();
    upstream.requests.set(0);
  }

  @AfterAll
  void stop() {
    client.close();
    gateway.close();
    upstream.close();
  }

  private JsonObject echo(String body, String... head) {
    RawHttp.Reply reply = client.send(String.join("\r\n", head) + "\r\n\r\n" + body).reply();
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return new JsonObject(reply.body());
  }

  private JsonObject get(String... fields) {
    RawHttp.Reply reply = client.ask("GET", "/", fields);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return new JsonObject(reply.body());
  }

  private static String seen(JsonObject echo, String field) {
    JsonArray lines = echo.getJsonObject("headers").getJsonArray(field);
    return lines == null ? "-" : String.join(" | ", lines.stream().map(String::valueOf).toList());
  }

  @Test
  void a_request_passes_with_method_path_query_fields_and_body() {
    JsonObject echo =
        echo(
            "hello",
            "POST /a/b%20c;v=1/?q=%2F&r HTTP/1.1",
            "Host: shop.example",
            "X-Own: 1",
            "X-Own: 2",
            "Content-Length: 5");
    assertThat(echo.getString("method")).isEqualTo("POST");
    assertThat(echo.getString("uri")).isEqualTo("/a/b%20c;v=1/?q=%2F&r");
    assertThat(echo.getString("body")).isEqualTo("hello");
    assertThat(seen(echo, "x-own")).isEqualTo("1 | 2");
  }

  @Test
  void a_chunked_body_passes_chunked() {
    JsonObject echo =
        echo(
            "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
            "PUT /a HTTP/1.1",
            "Host: h",
            "Transfer-Encoding: chunked");
    assertThat(echo.getString("body")).isEqualTo("abcde");
    assertThat(seen(echo, "transfer-encoding")).isEqualTo("chunked");
    assertThat(seen(echo, "content-length")).isEqualTo("-");
  }

  @Test
  void hop_by_hop_fields_end_here_and_so_do_those_that_connection_names() {
    JsonObject echo =
        get(
            "Connection: keep-alive, X-Mine",
            "X-Mine: 1",
            "Keep-Alive: timeout=9",
            "TE: trailers",
            "Upgrade: websocket",
            "Proxy-Authorization: x",
            "Proxy-Connection: y",
            "X-Kept: 1");
    for (String gone :
        List.of(
            "connection",
            "x-mine",
            "keep-alive",
            "te",
            "upgrade",
            "proxy-authorization",
            "proxy-connection")) {
      assertThat(seen(echo, gone)).as(gone).isEqualTo("-");
    }
    assertThat(seen(echo, "x-kept")).isEqualTo("1");
  }

  @Test
  void connection_cannot_take_away_what_proxies_vouch_for() {
    JsonObject echo =
        get(
            "Connection: X-Forwarded-For, Host, X-Request-Id",
            "X-Forwarded-For: 198.51.100.7",
            "X-Request-Id: abc");
    assertThat(seen(echo, "x-forwarded-for")).isEqualTo("198.51.100.7, 127.0.0.1");
    assertThat(seen(echo, "x-request-id")).isEqualTo("abc");
    assertThat(seen(echo, "host")).isEqualTo("127.0.0.1:" + upstream.port());
  }

  @Test
  void host_is_the_targets_own_and_the_clients_is_told_beside_it() {
    JsonObject echo = echo("", "GET / HTTP/1.1", "Host: shop.example:8080");
    assertThat(seen(echo, "host")).isEqualTo("127.0.0.1:" + upstream.port());
    assertThat(seen(echo, "x-forwarded-host")).isEqualTo("shop.example:8080");
    assertThat(seen(echo, "x-forwarded-proto")).isEqualTo("http");
    assertThat(seen(echo, "x-forwarded-for")).isEqualTo("127.0.0.1");
    assertThat(seen(echo, "x-request-id")).matches("[0-9a-f]{32}");
  }

  @Test
  void a_trusted_proxys_forwarded_fields_are_kept_and_prolonged() {
    JsonObject echo =
        get(
            "X-Forwarded-For: 198.51.100.7",
            "X-Forwarded-Proto: https",
            "X-Forwarded-Host: shop.example",
            "X-App-Id: app-a");
    assertThat(seen(echo, "x-forwarded-for")).isEqualTo("198.51.100.7, 127.0.0.1");
    assertThat(seen(echo, "x-forwarded-proto")).isEqualTo("https");
    assertThat(seen(echo, "x-forwarded-host")).isEqualTo("shop.example");
    assertThat(seen(echo, "x-app-id")).isEqualTo("app-a");
  }

  @Test
  void an_absolute_target_names_the_host_and_is_forwarded_as_a_path() {
    JsonObject echo = echo("", "GET http://real.example/a?b HTTP/1.1", "Host: other");
    assertThat(echo.getString("uri")).isEqualTo("/a?b");
    assertThat(seen(echo, "x-forwarded-host")).isEqualTo("real.example");
    assertThat(echo("", "GET http://real.example?b HTTP/1.1", "Host: o").getString("uri"))
        .isEqualTo("/?b");
  }

  @Test
  void the_body_of_one_that_waits_for_a_100_is_asked_for_whatever_the_upstream_does() {
    client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
    assertThat(client.head().status()).isEqualTo(100);
    assertThat(new JsonObject(client.send("hi").reply().body()).getString("body")).isEqualTo("hi");
  }

  @Test
  void head_and_options_pass_like_any_method() {
    RawHttp.Reply head = client.ask("HEAD", "/");
    assertThat(head.status()).isEqualTo(200);
    assertThat(Integer.parseInt(head.field("content-length"))).isPositive();
    assertThat(new JsonObject(client.ask("OPTIONS", "/x").body()).getString("method"))
        .isEqualTo("OPTIONS");
  }

  @Test
  void an_upgrade_that_is_not_passed_on_leaves_a_plain_request() {
    RawHttp.Reply reply =
        client.ask(
            "GET",
            "/chat",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13");
    assertThat(reply.status()).isEqualTo(200);
  }

  @Test
  void http_1_0_is_answered_and_its_connection_ended() {
    client.send("GET /a HTTP/1.0\r\n\r\n");
    RawHttp.Reply reply = client.reply();
    assertThat(new JsonObject(reply.body()).getString("uri")).isEqualTo("/a");
    assertThat(client.ended()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRACE", "CONNECT"})
  void methods_that_are_not_for_a_gateway_are_refused_with_405(String method) {
    String target = method.equals("CONNECT") ? "shop.example:443" : "/";
    RawHttp.Reply reply = client.ask(method, target);
    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.field("allow")).contains("GET");
    assertThat(upstream.requests).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /a#b HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /a%zz HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /a%2Fb HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /a\\b HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /caf\u00e9 HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET a HTTP/1.1\r\nHost: h\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET http:///a HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET ftp://h/a HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
        "get / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nNo Colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : h\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +1\r\n\r\na",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: xchunked\r\n\r\n",
        "POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      })
  void what_servers_could_read_in_two_ways_is_a_400(String request) {
    RawHttp.Reply reply = client.send(request).reply();
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.field("content-type")).isEqualTo("application/problem+json");
    assertThat(new JsonObject(reply.body()).getInteger("status")).isEqualTo(400);
    assertThat(upstream.requests).hasValue(0);
  }

  @Test
  void too_long_a_request_line_is_a_414_and_too_long_a_head_a_431() {
    assertThat(client.ask("GET", "/" + "a".repeat(5_000)).status()).isEqualTo(414);
    assertThat(client.ended()).isTrue();
    try (RawHttp second = gateway.connect()) {
      assertThat(second.ask("GET", "/", "X-Long: " + "a".repeat(9_000)).status()).isEqualTo(431);
    }
  }

  @Test
  void an_expectation_that_nobody_knows_is_a_417() {
    assertThat(client.ask("GET", "/", "Expect: miracles").status()).isEqualTo(417);
  }

  @Test
  void pipelined_requests_are_answered_in_order() {
    client.sendHead("GET", "/1").sendHead("GET", "/2").sendHead("GET", "/3");
    for (int i = 1; i <= 3; i++) {
      assertThat(new JsonObject(client.reply().body()).getString("uri")).isEqualTo("/" + i);
    }
  }
}
