package io.quotatree.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.gateway.server.ListenException;
import io.quotatree.gateway.server.Settings;
import io.quotatree.gateway.server.TlsException;
import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.QuotaFiles;
import io.quotatree.quotafile.Reading;
import io.quotatree.testkit.store.RedisServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ids of decisions at two gateways that share a store. */
final class FleetIdsTest {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final HttpClient client = HttpClient.newHttpClient();
  private final RedisServer redis = RedisServer.start();
  private final List<FileGateway> gateways = new ArrayList<>();

  @AfterEach
  void stop() {
    gateways.forEach(FileGateway::close);
    assertThat(redis.keysWithoutEnd()).isEmpty();
    redis.close();
  }

  private FileGateway start(String nodeId, String quotas) throws ListenException, TlsException {
    String text =
        "store: { redis: \"%s\", timeout: 10s }\nquotas: %s\n".formatted(redis.uri(), quotas);
    Reading reading = QuotaFiles.read("test.yaml", text.getBytes(StandardCharsets.UTF_8));
    assertThat(reading).isInstanceOf(Reading.Sound.class);
    QuotaFile file = ((Reading.Sound) reading).file();
    Settings settings = Wiring.settings(file).onFreePorts().withEventLoops(2);
    FileGateway gateway = new FileGateway(file, settings, nodeId);
    gateways.add(gateway);
    return gateway;
  }

  private static HttpRequest request(FileGateway gateway, String verb, String json) {
    URI uri = URI.create("http://127.0.0.1:" + gateway.admin().port() + "/v1/" + verb);
    return HttpRequest.newBuilder(uri)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(json))
        .build();
  }

  private HttpResponse<String> post(FileGateway gateway, String verb, JsonObject body) {
    try {
      return client.send(request(gateway, verb, body.encode()), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonObject question(String hold) {
    return new JsonObject()
        .put("caller", "app-a")
        .put("method", "GET")
        .put("path", "/a")
        .put("hold", hold);
  }

  private JsonObject decide(FileGateway gateway, JsonObject question) {
    HttpResponse<String> answer = post(gateway, "decide", question);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new JsonObject(answer.body());
  }

  private JsonObject decide(FileGateway gateway, String hold) {
    return decide(gateway, question(hold));
  }

  private boolean allows(FileGateway gateway) {
    return decide(gateway, "1h").getBoolean("allowed");
  }

  private int release(FileGateway gateway, String id) {
    return post(gateway, "release", new JsonObject().put("id", id)).statusCode();
  }

  private int settle(FileGateway gateway, String id, long cost) {
    return post(gateway, "settle", new JsonObject().put("id", id).put("cost", cost)).statusCode();
  }

  private HttpResponse<String> renew(FileGateway gateway, String id, String hold) {
    return post(gateway, "renew", new JsonObject().put("id", id).put("hold", hold));
  }

  private static void eventually(String what, BooleanSupplier condition) {
    long startNanos = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - startNanos > PATIENCE_NANOS) {
        throw new AssertionError("never came true: " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  @Test
  void a_permit_is_released_at_another_gateway_once() throws ListenException, TlsException {
    String quotas = "{ caller: { default: { limit: unlimited, concurrency: 1 } } }";
    FileGateway one = start("one", quotas);
    FileGateway two = start("two", quotas);
    String id = decide(one, "1h").getString("id");
    assertThat(allows(two)).isFalse();
    assertThat(release(two, id)).isEqualTo(200);
    assertThat(allows(two)).isTrue();
    // The other's permit must not be the one that these give back.
    assertThat(release(two, id)).isEqualTo(404);
    assertThat(release(one, id)).isEqualTo(404);
    assertThat(allows(one)).isFalse();
  }

  @Test
  void a_permit_in_flight_of_one_gateway_survives_releases_at_another()
      throws ListenException, TlsException {
    String quotas = "{ caller: { default: { limit: unlimited, concurrency: 2 } } }";
    FileGateway one = start("one", quotas);
    FileGateway two = start("two", quotas);
    String ofOne = decide(one, "1h").getString("id");
    String ofTwo = decide(two, "1h").getString("id");
    assertThat(release(two, ofOne)).isEqualTo(200);
    assertThat(release(one, ofTwo)).isEqualTo(200);
    assertThat(allows(one)).isTrue();
    assertThat(allows(two)).isTrue();
    assertThat(allows(two)).isFalse();
  }

  @Test
  void a_cost_is_settled_at_another_gateway_once() throws ListenException, TlsException {
    String quotas =
        "{ node: { limit: 100/365day, algorithm: fixed_window }, caller: { default: { limit: 10/365day, algorithm: fixed_window } } }";
    FileGateway one = start("one", quotas);
    FileGateway two = start("two", quotas);
    String id = decide(one, question("1h").put("cost", 10)).getString("id");
    assertThat(allows(two)).isFalse();
    assertThat(settle(two, id, 8)).isEqualTo(200);
    assertThat(settle(two, id, 0)).isEqualTo(404);
    assertThat(settle(one, id, 0)).isEqualTo(404);
    JsonObject after = decide(two, question("1h").put("cost", 2));
    assertThat(after.getBoolean("allowed")).isTrue();
    assertThat(allows(one)).isFalse();
    // More than was charged is taken past the limit, and refuses nothing.
    assertThat(settle(one, after.getString("id"), 5)).isEqualTo(200);
    assertThat(release(one, id)).isEqualTo(200);
  }

  @Test
  void a_refund_of_anothers_decision_is_felt_at_once_where_it_was_settled()
      throws ListenException, TlsException {
    String quotas = "{ caller: { default: { limit: 1/day, algorithm: token_bucket } } }";
    FileGateway a = start("a", quotas);
    FileGateway b = start("b", quotas);
    String id = decide(a, "1h").getString("id");
    assertThat(allows(b)).as("a refusal, which b remembers").isFalse();

    assertThat(settle(b, id, 0)).isEqualTo(200);

    assertThat(allows(b)).isTrue();
  }

  @Test
  void of_many_that_settle_one_id_at_once_one_does() throws ListenException, TlsException {
    String quotas = "{ caller: { default: { limit: 10/365day, algorithm: fixed_window } } }";
    FileGateway one = start("one", quotas);
    FileGateway two = start("two", quotas);
    String id = decide(one, question("1h").put("cost", 5)).getString("id");
    String body = new JsonObject().put("id", id).put("cost", 4).encode();
    List<CompletableFuture<HttpResponse<String>>> sent =
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    client.sendAsync(
                        request(i % 2 == 0 ? one : two, "settle", body), BodyHandlers.ofString()))
            .toList();
    List<Integer> statuses = sent.stream().map(answer -> answer.join().statusCode()).toList();
    assertThat(statuses.stream().filter(status -> status == 200)).hasSize(1);
    assertThat(statuses.stream().filter(status -> status == 404)).hasSize(19);
    assertThat(decide(two, question("1h").put("cost", 6)).getBoolean("allowed")).isTrue();
    assertThat(allows(one)).isFalse();
  }

  @Test
  void a_hold_that_was_prolonged_elsewhere_does_not_end_here()
      throws ListenException, TlsException {
    String quotas = "{ caller: { default: { limit: unlimited, concurrency: 1 } } }";
    FileGateway one = start("one", quotas);
    FileGateway two = start("two", quotas);
    String id = decide(one, "3s").getString("id");
    HttpResponse<String> renewed = renew(two, id, "6s");
    assertThat(renewed.statusCode()).isEqualTo(200);
    Instant end = Instant.parse(new JsonObject(renewed.body()).getString("held_until"));
    eventually("it has ended", () -> allows(two));
    assertThat(Instant.now()).isAfterOrEqualTo(end.minusMillis(100));
    assertThat(renew(one, id, "6s").statusCode()).isEqualTo(404);
    assertThat(release(two, id)).isEqualTo(404);
  }

  @Test
  void what_is_a_gateways_alone_comes_back_when_another_releases_it()
      throws ListenException, TlsException {
    String quotas =
        "{ node: { limit: unlimited, instance: { limit: unlimited, concurrency: 1 } } }";
    FileGateway one = start("one", quotas);
    FileGateway two = start("two", quotas);
    String id = decide(one, "1s").getString("id");
    assertThat(allows(one)).isFalse();
    assertThat(release(two, id)).isEqualTo(200);
    eventually("its hold is over, and it is asked for", () -> allows(one));
  }

  @Test
  void ids_of_several_decisions_in_one_call_work_elsewhere()
      throws ListenException, TlsException, IOException, InterruptedException {
    String quotas = "{ caller: { default: { limit: unlimited, concurrency: 50 } } }";
    FileGateway one = start("one", quotas);
    FileGateway two = start("two", quotas);
    JsonArray many = new JsonArray();
    IntStream.range(0, 50).forEach(i -> many.add(question("1h")));
    HttpResponse<String> answers =
        client.send(request(one, "decide", many.encode()), BodyHandlers.ofString());
    List<String> ids =
        new JsonArray(answers.body()).stream().map(a -> ((JsonObject) a).getString("id")).toList();
    assertThat(ids).hasSize(50);
    assertThat(allows(two)).isFalse();
    ids.forEach(id -> assertThat(release(two, id)).isEqualTo(200));
    assertThat(allows(two)).isTrue();
  }

  @Test
  void while_the_store_is_down_an_id_is_neither_lost_nor_settled_twice()
      throws ListenException, TlsException {
    String quotas = "{ caller: { default: { limit: 10/365day, algorithm: fixed_window } } }";
    FileGateway one = start("one", quotas);
    FileGateway two = start("two", quotas);
    String id = decide(one, question("1h").put("cost", 5)).getString("id");
    redis.freeze();
    assertThat(settle(two, id, 0)).isEqualTo(503);
    redis.thaw();
    // Nobody knows whether the first one was done; if so, this one is not.
    int again = settle(one, id, 0);
    assertThat(again).isIn(200, 404);
    assertThat(settle(one, id, 0)).isEqualTo(404);
  }

  @Test
  void an_id_that_is_none_is_unknown_everywhere() throws ListenException, TlsException {
    FileGateway one = start("one", "{ caller: { default: 10/s } }");
    assertThat(release(one, "x:1")).isEqualTo(404);
    assertThat(settle(one, "0".repeat(32), 1)).isEqualTo(404);
    assertThat(renew(one, "}{", "1s").statusCode()).isEqualTo(404);
  }
}
