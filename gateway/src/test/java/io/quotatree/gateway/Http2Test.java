package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.QuotaTree;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests over HTTP/2 in the clear, each a stream of its own on one connection. */
final class Http2Test {

  private static final long PROTOCOL_ERROR = 1;

  private final Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
  private final TestUpstream upstream = TestUpstream.that(this::answer);
  private final List<AutoCloseable> open = new ArrayList<>();

  private void answer(HttpServerRequest request) {
    if (request.path().startsWith("/held")) {
      held.add(request);
      return;
    }
    request
        .body()
        .onSuccess(
            body -> {
              JsonObject headers = new JsonObject();
              for (String name : request.headers().names()) {
                headers.put(
                    name.toLowerCase(Locale.ROOT), new JsonArray(request.headers().getAll(name)));
              }
              request
                  .response()
                  .putHeader("Connection", "keep-alive, X-Hop")
                  .putHeader("X-Hop", "1")
                  .end(
                      new JsonObject()
                          .put("method", request.method().name())
                          .put("uri", request.uri())
                          .put("headers", headers)
                          .put("body", body.toString())
                          .encode());
            });
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    upstream.close();
    LeakRecorder.assertNoLeak();
  }

  private RunningGateway gateway(QuotaTree tree) {
    RunningGateway gateway = RunningGateway.of(tree).to(upstream.port()).start();
    open.add(gateway);
    return gateway;
  }

  private RawHttp2 connect(RunningGateway gateway) {
    RawHttp2 client = RawHttp2.connect(gateway.port());
    open.add(client);
    return client;
  }

  private static JsonObject seen(RawHttp2.Outcome outcome) {
    return new JsonObject(outcome.body());
  }

  private static String field(RawHttp2.Outcome outcome, String name) {
    return seen(outcome).getJsonObject("headers").getJsonArray(name).getString(0);
  }

  @Test
  void what_the_client_says_of_itself_is_told_in_the_words_of_http_1() {
    RawHttp2 client = connect(gateway(QuotaTree.empty()));
    client.headers(
        1,
        RawHttp2.END_STREAM,
        ":method",
        "GET",
        ":scheme",
        "https",
        ":authority",
        "shop.example:8443",
        ":path",
        "/a/../b?c=d",
        "cookie",
        "a=1",
        "cookie",
        "b=2",
        "te",
        "trailers");
    RawHttp2.Outcome outcome = client.outcome(1);
    assertThat(outcome.status()).isEqualTo(200);
    assertThat(outcome.names()).doesNotContain("connection", "x-hop", "keep-alive");
    assertThat(seen(outcome).getString("uri")).isEqualTo("/b?c=d");
    assertThat(field(outcome, "x-forwarded-host")).isEqualTo("shop.example:8443");
    assertThat(field(outcome, "x-forwarded-proto")).as("it is in the clear").isEqualTo("http");
    assertThat(field(outcome, "cookie")).isEqualTo("a=1; b=2");
    assertThat(seen(outcome).getJsonObject("headers").fieldNames())
        .doesNotContain("te", "transfer-encoding", "content-length");
  }

  @Test
  void bodies_pass_with_and_without_a_stated_length() {
    RawHttp2 client = connect(gateway(QuotaTree.empty()));
    client.headers(1, 0, RawHttp2.request("POST", "/a", "content-length", "5"));
    client.data(1, RawHttp2.END_STREAM, "hello");
    assertThat(seen(client.outcome(1)).getString("body")).isEqualTo("hello");
    client.headers(3, 0, RawHttp2.request("PUT", "/b"));
    client.data(3, 0, "he").data(3, 0, "llo").data(3, RawHttp2.END_STREAM, "");
    RawHttp2.Outcome second = client.outcome(3);
    assertThat(seen(second).getString("body")).isEqualTo("hello");
  }

  @Test
  void streams_do_not_wait_for_each_other() {
    RawHttp2 client = connect(gateway(QuotaTree.empty()));
    client.get(1, "/held");
    client.get(3, "/");
    assertThat(client.outcome(3).status()).isEqualTo(200);
    Eventually.holds("one is held", () -> held.size() == 1);
    held.remove().response().end("at last");
    assertThat(client.outcome(1).body()).isEqualTo("at last");
  }

  @Test
  void a_request_that_is_turned_away_leaves_the_other_streams_alone() {
    RawHttp2 client = connect(gateway(QuotaTree.empty()));
    client.get(1, "/held");
    client.headers(3, 0, RawHttp2.request("POST", "/%zz", "content-length", "9000000"));
    client.data(3, 0, "he");
    assertThat(client.outcome(3).status()).isEqualTo(400);
    client.get(5, "/");
    assertThat(client.outcome(5).status()).isEqualTo(200);
    Eventually.holds("one is held", () -> held.size() == 1);
    held.remove().response().end("at last");
    assertThat(client.outcome(1).body()).isEqualTo("at last");
  }

  private static QuotaTree oneAtATime() {
    return Trees.node(Trees.bucket(1_000_000, Trees.SECOND).withConcurrency(1));
  }

  @Test
  void a_stream_that_is_reset_gives_its_permit_back() {
    RunningGateway gateway = gateway(oneAtATime());
    RawHttp2 client = connect(gateway);
    for (int stream = 1; stream < 21; stream += 4) {
      client.get(stream, "/held");
      int seen = (stream + 3) / 4;
      Eventually.holds("it is held", () -> held.size() == seen);
      client.get(stream + 2, "/");
      assertThat(client.outcome(stream + 2).status()).isEqualTo(429);
      client.reset(stream);
      gateway.awaitQuiet();
    }
    client.get(21, "/");
    assertThat(client.outcome(21).status()).isEqualTo(200);
  }

  @Test
  void a_connection_that_vanishes_gives_the_permits_of_all_its_streams_back() {
    RunningGateway gateway =
        gateway(Trees.node(Trees.bucket(1_000_000, Trees.SECOND).withConcurrency(10)));
    RawHttp2 client = connect(gateway);
    for (int stream = 1; stream < 20; stream += 2) {
      client.get(stream, "/held");
    }
    Eventually.holds("ten are held", () -> held.size() == 10);
    client.vanish();
    gateway.awaitQuiet();
    RawHttp2 another = connect(gateway);
    another.get(1, "/");
    assertThat(another.outcome(1).status()).isEqualTo(200);
  }

  @Test
  void the_end_is_told_by_goaway_and_what_is_under_way_is_finished() {
    RunningGateway gateway = gateway(QuotaTree.empty());
    RawHttp2 client = connect(gateway);
    client.get(1, "/held");
    Eventually.holds("one is held", () -> held.size() == 1);
    CompletableFuture<Long> cut =
        CompletableFuture.supplyAsync(() -> gateway.gateway.drain(Duration.ofSeconds(20)));
    RawHttp2.Frame goaway = client.awaits(RawHttp2.GOAWAY);
    assertThat(goaway).isNotNull();
    assertThat(RawHttp2.code(goaway, 0)).as("the last stream").isEqualTo(Integer.MAX_VALUE);
    assertThat(RawHttp2.code(goaway, 4)).as("no error").isZero();
    held.remove().response().end("at last");
    assertThat(client.outcome(1).body()).isEqualTo("at last");
    assertThat(cut.join()).isZero();
    assertThat(client.next()).isNull();
  }

  @Test
  void a_connection_without_streams_is_closed() {
    RunningGateway gateway =
        RunningGateway.of(QuotaTree.empty())
            .to(upstream.port())
            .keepAlive(Duration.ofMillis(50))
            .start();
    open.add(gateway);
    RawHttp2 client = connect(gateway);
    client.get(1, "/");
    assertThat(client.outcome(1).status()).isEqualTo(200);
    assertThat(client.awaits(RawHttp2.DATA)).isNull();
  }

  /** What would be another request, or two, once it is written down as HTTP/1. */
  static Stream<Arguments> smuggled() {
    return Stream.of(
        one("a coding", RawHttp2.request("POST", "/", "transfer-encoding", "chunked")),
        one("a connection field", RawHttp2.request("GET", "/", "connection", "x")),
        one("an upgrade", RawHttp2.request("GET", "/", "upgrade", "h2c")),
        one("keep-alive", RawHttp2.request("GET", "/", "keep-alive", "1")),
        one("te of another kind", RawHttp2.request("GET", "/", "te", "gzip")),
        one("a line end in a value", RawHttp2.request("GET", "/", "x-a", "1\r\nx-b: 2")),
        one("a bare LF in a value", RawHttp2.request("GET", "/", "x-a", "1\nx-b: 2")),
        one("a bare CR in a value", RawHttp2.request("GET", "/", "x-a", "1\rx-b: 2")),
        one("a NUL in a value", RawHttp2.request("GET", "/", "x-a", "1\0")),
        one("a line end in a name", RawHttp2.request("GET", "/", "x-a: 1\r\nx-b", "2")),
        one("a colon in a name", RawHttp2.request("GET", "/", "x-a:", "2")),
        one("a space in a name", RawHttp2.request("GET", "/", "x a", "2")),
        one("a name of nothing", RawHttp2.request("GET", "/", "", "2")),
        one("capitals in a name", RawHttp2.request("GET", "/", "X-A", "2")),
        one("a line end in the path", RawHttp2.request("GET", "/ HTTP/1.1\r\nx: y")),
        one("a space in the path", RawHttp2.request("GET", "/a b")),
        one("a path that is none", RawHttp2.request("GET", "a")),
        one("a path of nothing", RawHttp2.request("GET", "")),
        one("a path with a host", RawHttp2.request("GET", "http://other/")),
        one("a line end in the method", RawHttp2.request("GET / HTTP/1.1\r\nx: y\r\n\r\nGET", "/")),
        one("a method in small letters", RawHttp2.request("get", "/")),
        one("another host beside the authority", RawHttp2.request("GET", "/", "host", "other")),
        one(
            "two hosts",
            RawHttp2.request("GET", "/", "host", "shop.example", "host", "shop.example")),
        one("two paths", RawHttp2.request("GET", "/", ":path", "/b")),
        one("two methods", RawHttp2.request("GET", "/", ":method", "POST")),
        one("two authorities", RawHttp2.request("GET", "/", ":authority", "other")),
        one("a pseudo field that nobody knows", RawHttp2.request("GET", "/", ":x", "1")),
        one("a pseudo field of answers", RawHttp2.request("GET", "/", ":status", "200")),
        one(
            "a pseudo field after another",
            ":method",
            "GET",
            ":scheme",
            "http",
            "x-a",
            "1",
            ":path",
            "/"),
        one("no path", ":method", "GET", ":scheme", "http", ":authority", "h"),
        one("no method", ":scheme", "http", ":authority", "h", ":path", "/"),
        one("no scheme", ":method", "GET", ":authority", "h", ":path", "/"),
        one(
            "an authority with a user",
            ":method",
            "GET",
            ":scheme",
            "http",
            ":authority",
            "u@h",
            ":path",
            "/"),
        one(
            "an authority with a line end",
            ":method",
            "GET",
            ":scheme",
            "http",
            ":authority",
            "h\r\nx: y",
            ":path",
            "/"),
        one("a length without a body", RawHttp2.request("POST", "/", "content-length", "5")),
        one("a length below nothing", RawHttp2.request("POST", "/", "content-length", "-1")),
        one("a length with a plus", RawHttp2.request("POST", "/", "content-length", "+0")),
        one("a length that is no number", RawHttp2.request("POST", "/", "content-length", "x")),
        one(
            "two lengths",
            RawHttp2.request("POST", "/", "content-length", "0", "content-length", "5")));
  }

  private static Arguments one(String name, String... namesAndValues) {
    return Arguments.of(name, namesAndValues);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("smuggled")
  void what_would_be_another_request_in_http_1_never_reaches_the_upstream(
      String name, String[] namesAndValues) {
    RunningGateway gateway = gateway(QuotaTree.empty());
    RawHttp2 client = connect(gateway);
    client.headers(1, RawHttp2.END_STREAM, namesAndValues);
    assertRefused(client.outcome(1));
    gateway.awaitQuiet();
    assertThat(upstream.requests).hasValue(0);
  }

  /** By a 400, by a reset of the stream, or by the end of the connection. */
  private static void assertRefused(RawHttp2.Outcome outcome) {
    if (outcome != null && outcome.reset() == 0) {
      assertThat(outcome.status()).isEqualTo(400);
    }
  }

  @Test
  void a_body_longer_than_its_length_is_cut_off_and_reaches_nobody_whole() {
    RunningGateway gateway = gateway(QuotaTree.empty());
    RawHttp2 client = connect(gateway);
    client.headers(1, 0, RawHttp2.request("POST", "/", "content-length", "5"));
    client.data(1, RawHttp2.END_STREAM, "helloGET /two HTTP/1.1\r\nHost: h\r\n\r\n");
    RawHttp2.@Nullable Outcome outcome = client.outcomeIfAny(1);
    assertThat(outcome == null || outcome.reset() == PROTOCOL_ERROR || outcome.status() == 400)
        .isTrue();
    gateway.awaitQuiet();
    client.get(3, "/three");
    RawHttp2.@Nullable Outcome next = outcome == null ? null : client.outcomeIfAny(3);
    assertThat(next == null || seen(next).getString("uri").equals("/three")).isTrue();
  }

  @Test
  void a_body_shorter_than_its_length_ends_its_stream_alone() {
    RunningGateway gateway = gateway(oneAtATime());
    RawHttp2 client = connect(gateway);
    client.headers(1, 0, RawHttp2.request("POST", "/", "content-length", "50"));
    client.data(1, RawHttp2.END_STREAM, "hello");
    assertThat(client.outcome(1).reset()).isEqualTo(PROTOCOL_ERROR);
    gateway.awaitQuiet();
    client.get(3, "/");
    assertThat(client.outcome(3).status()).isEqualTo(200);
  }

  @Test
  void a_path_and_a_header_have_bounds() {
    RawHttp2 client = connect(gateway(QuotaTree.empty()));
    client.get(1, "/" + "a".repeat(4100));
    assertThat(client.outcome(1).status()).isEqualTo(414);
    client.get(3, "/", "x-a", "a".repeat(9000));
    assertThat(client.outcome(3).status()).isEqualTo(431);
    String[] many = new String[2 * 120];
    for (int i = 0; i < many.length; i += 2) {
      many[i] = "x" + i;
      many[i + 1] = "1";
    }
    client.get(5, "/", many);
    assertThat(client.outcome(5).status()).isEqualTo(431);
    client.get(7, "/");
    assertThat(client.outcome(7).status()).isEqualTo(200);
  }
}
