package io.quotatree.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.gateway.server.ListenException;
import io.quotatree.gateway.server.Settings;
import io.quotatree.gateway.server.TlsException;
import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.QuotaFiles;
import io.quotatree.quotafile.Reading;
import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gateways that count in one Redis, over HTTP. */
final class SharedStoreTest {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir private Path folder;

  private final HttpClient client = HttpClient.newHttpClient();
  private final DemoUpstream upstream = new DemoUpstream();
  private final RedisServer redis = RedisServer.start();
  private final List<FileGateway> gateways = new ArrayList<>();

  @AfterEach
  void stop() {
    gateways.forEach(FileGateway::close);
    assertThat(redis.keysWithoutEnd()).isEmpty();
    redis.close();
    upstream.close();
  }

  private FileGateway start(String nodeId, String store, String quotas)
      throws ListenException, TlsException {
    String text =
        """
        identity: { caller: ["header:X-App-Id"], trusted_proxies: [127.0.0.0/8] }
        routes: [{ match: "/**", upstream: service }]
        upstreams: { service: { targets: ["%s"] } }
        store: { redis: "%s", %s }
        quotas: %s
        """
            .formatted(upstream.uri(), redis.uri(), store, quotas);
    Reading reading = QuotaFiles.read("test.yaml", text.getBytes(StandardCharsets.UTF_8));
    assertThat(reading).isInstanceOf(Reading.Sound.class);
    QuotaFile file = ((Reading.Sound) reading).file();
    Settings settings = Wiring.settings(file).onFreePorts().withEventLoops(2);
    FileGateway gateway = new FileGateway(file, settings, nodeId);
    gateways.add(gateway);
    return gateway;
  }

  private HttpRequest request(FileGateway gateway) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.listen().port() + "/a"))
        .header("X-App-Id", "app-a")
        .build();
  }

  private HttpResponse<String> get(FileGateway gateway) {
    try {
      return client.send(request(gateway), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private String storeState(FileGateway gateway) {
    URI ready = URI.create("http://127.0.0.1:" + gateway.admin().port() + "/readyz");
    try {
      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(ready).build(), BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      return new JsonObject(answer.body()).getJsonObject("store").getString("state");
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void eventually(String what, BooleanSupplier condition) {
    long startNanos = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - startNanos > PATIENCE_NANOS) {
        throw new AssertionError("never came true: " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  @Test
  void two_gateways_share_a_quota_exactly() throws ListenException, TlsException {
    String quotas = "{ caller: { default: { limit: 100/365day, algorithm: sliding_log } } }";
    FileGateway one = start("one", "timeout: 10s", quotas);
    FileGateway two = start("two", "timeout: 10s", quotas);
    List<CompletableFuture<HttpResponse<String>>> asked =
        IntStream.range(0, 160)
            .mapToObj(
                i -> client.sendAsync(request(i % 2 == 0 ? one : two), BodyHandlers.ofString()))
            .toList();
    List<Integer> statuses = asked.stream().map(a -> a.join().statusCode()).toList();
    assertThat(statuses.stream().filter(s -> s == 200)).hasSize(100);
    assertThat(statuses.stream().filter(s -> s == 429)).hasSize(60);
    HttpResponse<String> refused = get(two);
    assertThat(refused.headers().firstValue("X-RateLimit-Key")).contains("caller:app-a");
  }

  private String decide(FileGateway gateway) {
    URI decide = URI.create("http://127.0.0.1:" + gateway.admin().port() + "/v1/decide");
    try {
      return client
          .send(
              HttpRequest.newBuilder(decide)
                  .header("Content-Type", "application/json")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          "{\"caller\":\"app-a\",\"method\":\"GET\",\"path\":\"/a\"}"))
                  .build(),
              BodyHandlers.ofString())
          .body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String lastLine(Path log) {
    try {
      List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
      return lines.isEmpty() ? "{}" : lines.get(lines.size() - 1);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void answers_and_the_log_say_how_sure_a_decision_is() throws ListenException, TlsException {
    Path log = folder.resolve("decisions.jsonl");
    FileGateway gateway =
        start(
            "one",
            "timeout: 1s",
            "{ caller: { default: { limit: 3/365day, algorithm: sliding_log } } }\nlog: { decisions: "
                + log
                + " }");
    eventually("the store is used", () -> storeState(gateway).equals("up"));
    assertThat(new JsonObject(decide(gateway)).getString("sure")).isEqualTo("exact");
    redis.kill();
    eventually(
        "it is decided without the store",
        () -> "fallback".equals(new JsonObject(decide(gateway)).getString("sure")));
    eventually(
        "a refusal without the store is written down",
        () ->
            get(gateway).statusCode() == 429
                && "fallback".equals(new JsonObject(lastLine(log)).getString("sure")));
    redis.restart();
  }

  @Test
  void a_store_that_is_killed_makes_503_where_quotas_are_closed_and_is_used_again_when_it_is_back()
      throws ListenException, TlsException {
    FileGateway gateway =
        start("one", "timeout: 1s, on_failure: closed", "{ caller: { default: 1000/s } }");
    eventually("the store is used", () -> get(gateway).statusCode() == 200);
    assertThat(storeState(gateway)).isEqualTo("up");
    redis.kill();
    HttpResponse<String> down = get(gateway);
    assertThat(down.statusCode()).isEqualTo(503);
    assertThat(down.headers().firstValue("Retry-After")).contains("1");
    assertThat(down.headers().firstValue("Content-Type")).contains("application/problem+json");
    eventually("it is told", () -> storeState(gateway).equals("unreachable"));
    redis.restart();
    eventually("the store is used again", () -> get(gateway).statusCode() == 200);
    assertThat(storeState(gateway)).isEqualTo("up");
  }

  @Test
  void a_gateway_starts_without_its_store_enforces_quotas_by_itself_and_tells_it_later()
      throws ListenException, TlsException {
    redis.kill();
    String quotas = "{ caller: { default: { limit: 5/365day, algorithm: fixed_window } } }";
    FileGateway gateway = start("one", "timeout: 1s", quotas);
    assertThat(IntStream.range(0, 7).map(i -> get(gateway).statusCode()))
        .containsExactly(200, 200, 200, 200, 200, 429, 429);
    assertThat(storeState(gateway)).isEqualTo("unreachable");
    assertThat(metric(gateway, "quotatree_store_fallbacks_total{on_failure=\"local\"}"))
        .isEqualTo("7.0");
    redis.restart();
    eventually("the store is used", () -> storeState(gateway).equals("up"));
    eventually(
        "it knows",
        () -> {
          assertThat(get(gateway).statusCode()).isEqualTo(429);
          return redis.keys().stream().anyMatch(key -> key.contains(":caller:app-a:"));
        });
  }

  private String metric(FileGateway gateway, String series) {
    URI page = URI.create("http://127.0.0.1:" + gateway.admin().port() + "/metrics");
    try {
      String text =
          client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString()).body();
      return text.lines()
          .filter(line -> line.startsWith(series + " "))
          .map(line -> line.substring(series.length() + 1))
          .findFirst()
          .orElseThrow();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void what_is_a_gateways_alone_is_each_gateways_own_and_not_in_the_store()
      throws ListenException, TlsException {
    String quotas =
        "{ node: { limit: 5/365day, algorithm: fixed_window, instance: { limit: 4/365day, algorithm: fixed_window } } }";
    FileGateway one = start("one", "timeout: 10s, prefix: fleet", quotas);
    FileGateway two = start("two", "timeout: 10s, prefix: fleet", quotas);
    assertThat(IntStream.range(0, 6).map(i -> get(one).statusCode()))
        .containsExactly(200, 200, 200, 200, 429, 429);
    assertThat(IntStream.range(0, 3).map(i -> get(two).statusCode()))
        .containsExactly(200, 429, 429);
    // Gateways announce themselves beside their decisions.
    eventually("the fleet is known", () -> redis.keys().contains("fleet:1:{node}:fleet"));
    assertThat(redis.keys())
        .containsExactlyInAnyOrder(
            "fleet:1:{node}:revision",
            "fleet:1:{node}:fleet",
            "fleet:1:{node}:forgettings",
            "fleet:1:{node}:node:node:fixed_window-requests-31536000000");
  }

  @Test
  void who_is_refused_costs_the_store_nothing_and_is_allowed_when_another_gateway_empties_it()
      throws ListenException, TlsException {
    String quotas = "{ caller: { default: { limit: 2/365day, algorithm: sliding_log } } }";
    FileGateway one = start("one", "timeout: 10s", quotas);
    FileGateway two = start("two", "timeout: 10s", quotas);
    assertThat(get(one).statusCode()).isEqualTo(200);
    assertThat(get(two).statusCode()).isEqualTo(200);
    String told = "quotatree_store_remembered_refusals_total";
    eventually(
        "it is remembered",
        () -> get(two).statusCode() == 429 && Double.parseDouble(metric(two, told)) > 0);
    URI reset = URI.create("http://127.0.0.1:" + one.admin().port() + "/admin/v1/reset");
    try {
      HttpResponse<String> emptied =
          client.send(
              HttpRequest.newBuilder(reset)
                  .header("Content-Type", "application/json")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          "{\"layer\":\"caller\",\"subject\":\"app-a\"}"))
                  .build(),
              BodyHandlers.ofString());
      assertThat(emptied.statusCode()).as(emptied.body()).isEqualTo(200);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
    eventually("it is forgotten", () -> get(two).statusCode() == 200);
  }

  @Test
  void credentials_are_read_from_their_place() throws IOException, ListenException, TlsException {
    try (RedisConnection operator = redis.connection()) {
      List<String> allowed = List.of("+@read", "+@write", "+@scripting", "+@connection", "+time");
      operator.ask("ACL", "SETUSER", "gate", "on", ">pass:word", "~qt:*");
      allowed.forEach(commands -> operator.ask("ACL", "SETUSER", "gate", commands));
      operator.ask("ACL", "SETUSER", "default", "off");
      Path secret = Files.writeString(folder.resolve("secret"), "gate:pass:word\n");
      FileGateway gateway =
          start(
              "one",
              "timeout: 10s, credentials: 'file:" + secret + "'",
              "{ caller: { default: 1/365day } }");
      assertThat(get(gateway).statusCode()).isEqualTo(200);
      assertThat(get(gateway).statusCode()).isEqualTo(429);
      operator.ask("ACL", "SETUSER", "default", "on", "nopass", "~*", "+@all");
    }
  }
}
