package io.quotatree.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Overrides over HTTP: of one gateway, and of two that share a store. */
final class OverridesTest {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final String QUOTAS =
      "{ caller: { default: { limit: 3/365day, algorithm: fixed_window } }, api: { names: [GET /a] } }";

  @TempDir private Path folder;

  private final HttpClient client = HttpClient.newHttpClient();
  private final DemoUpstream upstream = new DemoUpstream();
  private final List<FileGateway> gateways = new ArrayList<>();
  private final List<RedisServer> servers = new ArrayList<>();

  @AfterEach
  void stop() {
    gateways.forEach(FileGateway::close);
    servers.forEach(
        redis -> {
          assertThat(redis.keysWithoutEnd()).isEmpty();
          redis.close();
        });
    upstream.close();
  }

  private RedisServer redis() {
    RedisServer redis = RedisServer.start();
    servers.add(redis);
    return redis;
  }

  private FileGateway start(String nodeId, String store) throws ListenException, TlsException {
    QuotaFile file = file(store, QUOTAS);
    Settings settings = Wiring.settings(file).onFreePorts().withEventLoops(2);
    FileGateway gateway = new FileGateway(file, settings, nodeId);
    gateways.add(gateway);
    return gateway;
  }

  private FileGateway alone() throws ListenException, TlsException {
    return start("one", "");
  }

  private static String shared(RedisServer redis) {
    return "store: { redis: \"" + redis.uri() + "\", timeout: 10s }";
  }

  private QuotaFile file(String store, String quotas) {
    String text =
        """
        server: { data: "%s" }
        identity: { caller: ["header:X-App-Id"], trusted_proxies: [127.0.0.0/8] }
        routes: [{ match: "/**", upstream: service }]
        upstreams: { service: { targets: ["%s"] } }
        %s
        quotas: %s
        """
            .formatted(folder.resolve("data"), upstream.uri(), store, quotas);
    Reading reading = QuotaFiles.read("test.yaml", text.getBytes(StandardCharsets.UTF_8));
    assertThat(reading).isInstanceOf(Reading.Sound.class);
    return ((Reading.Sound) reading).file();
  }

  private void end(FileGateway gateway) {
    gateway.close();
    gateways.remove(gateway);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private int ask(FileGateway gateway, String caller) {
    URI uri = URI.create("http://127.0.0.1:" + gateway.listen().port() + "/a");
    return send(HttpRequest.newBuilder(uri).header("X-App-Id", caller)).statusCode();
  }

  private List<Integer> ask(FileGateway gateway, String caller, int times) {
    return IntStream.range(0, times).mapToObj(i -> ask(gateway, caller)).toList();
  }

  private static HttpRequest.Builder admin(FileGateway gateway, String path) {
    return HttpRequest.newBuilder(
        URI.create("http://127.0.0.1:" + gateway.admin().port() + "/admin/v1/" + path));
  }

  private static HttpRequest.Builder putting(FileGateway gateway, String json) {
    return admin(gateway, "overrides")
        .header("Content-Type", "application/json")
        .PUT(BodyPublishers.ofString(json));
  }

  private HttpResponse<String> put(FileGateway gateway, String json) {
    return send(putting(gateway, json));
  }

  private static String caller(String name, String quota, String lasting) {
    return new JsonObject()
        .put("layer", "caller")
        .put("subject", name)
        .put("quota", quota)
        .put("for", lasting)
        .put("reason", "a sale")
        .encode();
  }

  private JsonObject shown(FileGateway gateway, String path) {
    HttpResponse<String> answer = send(admin(gateway, path));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new JsonObject(answer.body());
  }

  private String limit(FileGateway gateway) {
    JsonArray limits = shown(gateway, "usage?layer=caller&subject=app-a").getJsonArray("limits");
    return limits.getJsonObject(0).getString("limit");
  }

  private List<String> subjects(FileGateway gateway) {
    JsonArray all = shown(gateway, "overrides").getJsonArray("overrides");
    return all.stream().map(one -> ((JsonObject) one).getString("subject")).toList();
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
  void an_override_holds_for_the_very_next_request_and_keeps_what_was_used()
      throws ListenException, TlsException {
    FileGateway gateway = alone();
    assertThat(ask(gateway, "app-a", 4)).containsExactly(200, 200, 200, 429);
    HttpResponse<String> set = put(gateway, caller("app-a", "5/365day", "2h"));
    assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
    assertThat(ask(gateway, "app-a", 3)).containsExactly(200, 200, 429);
    assertThat(ask(gateway, "app-b", 4)).containsExactly(200, 200, 200, 429);
    JsonObject usage =
        shown(gateway, "usage?layer=caller&subject=app-a").getJsonArray("limits").getJsonObject(0);
    assertThat(usage.getString("limit")).isEqualTo("5/365day");
    assertThat(usage.getString("algorithm")).isEqualTo("fixed_window");
    assertThat(usage.getLong("used")).isEqualTo(5);
    assertThat(usage.getString("written_at")).isEqualTo("override of caller app-a");
    assertThat(usage.getString("until"))
        .isEqualTo(shown(gateway, "overrides/caller/app-a").getString("until"));
    HttpResponse<String> ended = send(admin(gateway, "overrides/caller/app-a").DELETE());
    assertThat(ended.statusCode()).isEqualTo(200);
    assertThat(ask(gateway, "app-a")).isEqualTo(429);
    assertThat(subjects(gateway)).isEmpty();
  }

  @Test
  void an_override_ends_by_itself() throws ListenException, TlsException {
    FileGateway gateway = alone();
    assertThat(put(gateway, caller("app-a", "blocked", "1s")).statusCode()).isEqualTo(200);
    eventually("it has ended", () -> ask(gateway, "app-a") == 200);
    assertThat(subjects(gateway)).isEmpty();
  }

  @Test
  void overrides_survive_a_restart_and_a_reload() throws ListenException, TlsException {
    FileGateway first = alone();
    put(
        first,
        "[" + caller("app-a", "1/365day", "2h") + "," + caller("app-b", "blocked", "1s") + "]");
    eventually("the short one has ended", () -> ask(first, "app-b") == 200);
    end(first);
    FileGateway second = alone();
    assertThat(ask(second, "app-a", 2)).containsExactly(200, 429);
    assertThat(ask(second, "app-b")).isEqualTo(200);
    assertThat(subjects(second)).containsExactly("app-a");
    second.use(file("", "{ caller: { default: { limit: 100/365day, algorithm: fixed_window } } }"));
    assertThat(ask(second, "app-a")).isEqualTo(429);
    assertThat(ask(second, "app-c", 5)).containsOnly(200);
  }

  @Test
  void an_override_that_the_file_has_no_place_for_waits_for_one_that_has()
      throws ListenException, TlsException {
    FileGateway gateway = alone();
    String api = "{\"layer\":\"api\",\"subject\":\"GET /a\",\"quota\":\"blocked\",\"for\":\"2h\"}";
    assertThat(put(gateway, api).statusCode()).isEqualTo(200);
    assertThat(ask(gateway, "app-a")).isEqualTo(429);
    gateway.use(file("", "{ caller: { default: 100/365day } }"));
    assertThat(ask(gateway, "app-a")).isEqualTo(200);
    JsonObject shown = shown(gateway, "overrides/api/GET%20%2Fa");
    assertThat(shown.getBoolean("in_force")).isFalse();
    assertThat(shown.getString("why_not")).contains("the file names no such api");
    gateway.use(file("", QUOTAS));
    assertThat(ask(gateway, "app-a")).isEqualTo(429);
  }

  @Test
  void a_broken_file_is_told_and_never_written_over()
      throws IOException, ListenException, TlsException {
    FileGateway first = alone();
    put(first, caller("app-a", "1/365day", "2h"));
    end(first);
    Path kept = folder.resolve("data").resolve("overrides");
    String whole = Files.readString(kept);
    String half = whole.substring(0, whole.length() / 2);
    Files.writeString(kept, half);
    FileGateway second = alone();
    assertThat(ask(second, "app-a", 3)).containsOnly(200);
    HttpResponse<String> refused = put(second, caller("app-b", "1/365day", "2h"));
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains(kept.toString(), "mend it, or move it away");
    assertThat(shown(second, "overrides").getString("problem")).contains(kept.toString());
    assertThat(Files.readString(kept)).isEqualTo(half);
    Files.writeString(kept, whole);
    eventually("it is read again", () -> ask(second, "app-a") == 429);
  }

  @Test
  void what_one_gateway_sets_or_ends_the_others_do_too_without_being_asked()
      throws ListenException, TlsException {
    RedisServer redis = redis();
    FileGateway one = start("one", shared(redis));
    FileGateway two = start("two", shared(redis));
    assertThat(put(one, caller("app-a", "2k/s", "2h")).statusCode()).isEqualTo(200);
    eventually("the other gateway has it", () -> limit(two).equals("2k/s"));
    assertThat(limit(one)).isEqualTo("2k/s");
    assertThat(subjects(two)).containsExactly("app-a");
    assertThat(folder.resolve("data")).doesNotExist();
    assertThat(send(admin(two, "overrides/caller/app-a").DELETE()).statusCode()).isEqualTo(200);
    assertThat(limit(two)).isEqualTo("3/365day");
    eventually("the first one lost it", () -> limit(one).equals("3/365day"));
    assertThat(redis.keys()).doesNotContain("qt:1:{node}:overrides");
  }

  @Test
  void the_end_of_an_override_and_that_it_is_idle_is_told_once_of_two_gateways()
      throws ListenException, TlsException {
    Logger audit = (Logger) LoggerFactory.getLogger("io.quotatree.audit");
    ListAppender<ILoggingEvent> told = new ListAppender<>();
    told.start();
    audit.addAppender(told);
    audit.setLevel(Level.INFO);
    try {
      RedisServer redis = redis();
      FileGateway one = start("one", shared(redis));
      FileGateway two = start("two", shared(redis));
      String api = "{\"layer\":\"api\",\"subject\":\"GET /a\",\"quota\":\"5/s\",\"for\":\"2h\"}";
      put(one, "[" + api + "," + caller("app-a", "blocked", "1s") + "]");
      for (FileGateway gateway : List.of(one, two)) {
        eventually("it has ended", () -> subjects(gateway).equals(List.of("GET /a")));
        gateway.use(file(shared(redis), "{ caller: { default: 100/365day } }"));
      }
      Predicate<String> ended = line -> line.contains("its time is over");
      Predicate<String> idle = line -> line.contains("the file names no such api");
      eventually("both are told", () -> count(told, ended) > 0 && count(told, idle) > 0);
      // Whoever is second to look has looked, once he has seen what is set now.
      put(one, caller("app-b", "blocked", "2h"));
      eventually("the second looked", () -> ask(two, "app-b") == 429);
      assertThat(count(told, ended)).isOne();
      assertThat(count(told, idle)).isOne();
    } finally {
      audit.setLevel(null);
      audit.detachAppender(told);
    }
  }

  private static long count(ListAppender<ILoggingEvent> told, Predicate<String> some) {
    return List.copyOf(told.list).stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(some)
        .count();
  }

  @Test
  void gateways_that_set_overrides_at_once_lose_none() throws ListenException, TlsException {
    RedisServer redis = redis();
    FileGateway one = start("one", shared(redis));
    FileGateway two = start("two", shared(redis));
    List<CompletableFuture<HttpResponse<String>>> sent =
        IntStream.range(0, 10)
            .mapToObj(
                i ->
                    client.sendAsync(
                        putting(i % 2 == 0 ? one : two, caller("app-" + i, "1/s", "2h")).build(),
                        BodyHandlers.ofString()))
            .toList();
    assertThat(sent.stream().map(answer -> answer.join().statusCode())).containsOnly(200);
    assertThat(subjects(one)).hasSize(10).containsExactlyInAnyOrderElementsOf(subjects(two));
  }

  @Test
  void whoever_was_slower_than_another_is_told() throws ListenException, TlsException {
    RedisServer redis = redis();
    FileGateway one = start("one", shared(redis));
    FileGateway two = start("two", shared(redis));
    String before = send(admin(one, "overrides")).headers().firstValue("ETag").orElseThrow();
    HttpResponse<String> first =
        send(putting(two, caller("app-a", "1/s", "2h")).header("If-Match", before));
    assertThat(first.statusCode()).isEqualTo(200);
    HttpResponse<String> second =
        send(putting(one, caller("app-b", "1/s", "2h")).header("If-Match", before));
    assertThat(second.statusCode()).isEqualTo(412);
    assertThat(subjects(one)).containsExactly("app-a");
    String tag = first.headers().firstValue("ETag").orElseThrow();
    HttpResponse<String> ended =
        send(admin(one, "overrides/caller/app-a").header("If-Match", tag).DELETE());
    assertThat(ended.statusCode()).isEqualTo(200);
  }

  @Test
  void while_the_store_is_down_none_is_set_and_those_in_force_stay()
      throws ListenException, TlsException {
    RedisServer redis = redis();
    FileGateway gateway = start("one", shared(redis));
    put(gateway, caller("app-a", "blocked", "2h"));
    redis.kill();
    HttpResponse<String> refused = put(gateway, caller("app-b", "1/s", "2h"));
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    assertThat(ask(gateway, "app-a")).isEqualTo(429);
    assertThat(shown(gateway, "overrides").getString("problem")).contains("the store");
    redis.restart();
  }

  @Test
  void names_with_any_characters_are_found_by_their_path() throws ListenException, TlsException {
    FileGateway gateway = alone();
    String subject = "a%2Fb%20c%25%3Ad%E4%BD%A0";
    assertThat(put(gateway, caller(subject, "blocked", "2h")).statusCode()).isEqualTo(200);
    assertThat(ask(gateway, "a/b c%:d")).isEqualTo(200);
    put(gateway, caller("a%2Fb%20c%25%3Ad", "blocked", "2h"));
    assertThat(ask(gateway, "a/b c%:d")).isEqualTo(429);
    String path = "overrides/caller/" + subject.replace("%", "%25");
    assertThat(shown(gateway, path).getString("subject")).isEqualTo(subject);
    assertThat(send(admin(gateway, "overrides/caller/a%252Fb").DELETE()).statusCode())
        .isEqualTo(404);
    assertThat(send(admin(gateway, path).DELETE()).statusCode()).isEqualTo(200);
    String user = "{\"layer\":\"user\",\"subject\":\"app-a/u 1\",\"quota\":\"5/s\",\"for\":\"2h\"}";
    assertThat(put(gateway, user).statusCode()).isEqualTo(200);
    for (String spelled : List.of("app-a/u%201", "app-a%2Fu%201", "app-a/u%25201")) {
      assertThat(shown(gateway, "overrides/user/" + spelled).getString("subject"))
          .isEqualTo("app-a/u%201");
    }
    for (String bad : List.of("caller/%ff", "caller/a*", "caller/a%2Fb", "callers/a")) {
      assertThat(send(admin(gateway, "overrides/" + bad)).statusCode()).as(bad).isEqualTo(400);
    }
  }

  @Test
  void where_a_limit_is_shown_the_override_is_told_with_its_end()
      throws ListenException, TlsException {
    FileGateway gateway = alone();
    put(gateway, caller("app-a", "7/365day", "2h"));
    String until = shown(gateway, "overrides/caller/app-a").getString("until");
    JsonObject quota =
        shown(gateway, "quotas").getJsonArray("quotas").stream()
            .map(JsonObject.class::cast)
            .filter(one -> one.getString("place").equals("caller.overrides.app-a"))
            .findFirst()
            .orElseThrow();
    assertThat(quota.getString("written_at")).isEqualTo("override of caller app-a");
    assertThat(quota.getString("until")).isEqualTo(until);
    HttpResponse<String> explained =
        send(
            admin(gateway, "explain")
                .header("Content-Type", "application/json")
                .POST(
                    BodyPublishers.ofString(
                        "{\"caller\":\"app-a\",\"method\":\"GET\",\"path\":\"/a\"}")));
    JsonObject asked = new JsonObject(explained.body()).getJsonArray("quotas").getJsonObject(0);
    assertThat(asked.getString("place")).isEqualTo("override of caller app-a");
    assertThat(asked.getString("until")).isEqualTo(until);
  }

  @Test
  void of_a_list_with_a_mistake_nothing_is_set() throws ListenException, TlsException {
    FileGateway gateway = alone();
    HttpResponse<String> answer =
        put(
            gateway,
            "[" + caller("app-a", "1/s", "2h") + ",\n" + caller("app-b", "1/sec", "2h") + "]");
    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(new JsonObject(answer.body()).getJsonArray("errors"))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("overrides:2:")
        .contains("`sec`");
    assertThat(put(gateway, "layer: caller").statusCode()).isEqualTo(400);
    assertThat(put(gateway, "[" + " ".repeat(600_000) + "]").statusCode()).isEqualTo(413);
    assertThat(
            send(putting(gateway, caller("a", "1/s", "1h")).header("If-Match", "3")).statusCode())
        .isEqualTo(400);
    assertThat(subjects(gateway)).isEmpty();
    assertThat(folder.resolve("data")).doesNotExist();
  }
}
