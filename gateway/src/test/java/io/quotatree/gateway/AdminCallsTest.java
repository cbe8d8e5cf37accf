package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.policy.Request;
import io.quotatree.gateway.admin.AdminCalls;
import io.quotatree.gateway.admin.AdminHandler;
import io.quotatree.gateway.admin.Operations;
import io.quotatree.quotafile.Difference;
import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.QuotaFiles;
import io.quotatree.quotafile.Reading;
import io.quotatree.quotafile.Reload;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What operators look at and change. */
final class AdminCallsTest {

  private static final String TEXT =
      """
      routes: [{ match: "/**", upstream: a }]
      upstreams: { a: { targets: ["http://127.0.0.1:1"] } }
      quotas:
        defaults: { spread: false }
        node: 1000/min
        caller:
          default: 100/min
          overrides:
            acme: { limit: [5/min, 50/day], concurrency: 3, user: 9/s }
            acme2: 5/min
            "acme*": 5/min
        api: { names: [GET /feed], default: 500/min }
      """;

  private final AtomicReference<Optional<Supplier<Reload>>> reloading =
      new AtomicReference<>(Optional.empty());
  private final QuotaFile file = sound(TEXT);
  private final Decision decision = new Decision();
  private final RunningGateway gateway = start();
  private final RawHttp admin = RawHttp.connect(gateway.adminPort());

  private RunningGateway start() {
    AdminHandler.Door door = new AdminHandler.Door("gateway-01", Optional.empty());
    RunningGateway.Setup setup = RunningGateway.of(file.quotas());
    return setup
        .callsOf(
            started ->
                AdminCalls.of(
                    new Operations(
                        () ->
                            new Operations.Running(
                                "gateway-01", 7, RunningGateway.START, file, file.quotas()),
                        started.limiter,
                        reloading::get,
                        started.ticker),
                    door))
        .start();
  }

  private static QuotaFile sound(String text) {
    Reading reading = QuotaFiles.read("quotatree.yaml", text.getBytes(StandardCharsets.UTF_8));
    return ((Reading.Sound) reading).file();
  }

  @AfterEach
  void stop() {
    admin.close();
    gateway.close();
  }

  private RawHttp.Reply get(String target) {
    return admin.look(target);
  }

  private RawHttp.Reply post(String path, String type, String body) {
    return admin.post(path, type, body);
  }

  private RawHttp.Reply post(String path, JsonObject body) {
    return post(path, "application/json", body.encode());
  }

  private boolean asks(String caller) {
    gateway.limiter.decide(Request.of(caller, "u", "GET", "/feed"), decision);
    boolean allowed = decision.allowed();
    gateway.limiter.release(decision);
    return allowed;
  }

  @Test
  void quotas_are_told_with_their_lines_revision_and_time() {
    JsonObject body = new JsonObject(get("/admin/v1/quotas").body());
    assertThat(body.getString("file")).isEqualTo("quotatree.yaml");
    assertThat(body.getString("node_id")).isEqualTo("gateway-01");
    assertThat(body.getLong("revision")).isEqualTo(7);
    assertThat(body.getString("loaded_at")).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(body.getJsonArray("order")).containsExactly("node", "caller", "user", "api");
    List<JsonObject> quotas =
        body.getJsonArray("quotas").stream().map(JsonObject.class::cast).toList();
    assertThat(quotas)
        .extracting(
            quota ->
                quota.getString("layer")
                    + " "
                    + quota.getString("place")
                    + " "
                    + quota.getInteger("line"))
        .contains(
            "node node 5",
            "caller caller.default 7",
            "caller caller.overrides.acme 9",
            "user caller.overrides.acme.user 9",
            "caller caller.overrides.acme2 10",
            "api api.overrides.GET /feed 12");
    JsonObject acme =
        quotas.stream()
            .filter(quota -> quota.getString("place").equals("caller.overrides.acme"))
            .findFirst()
            .orElseThrow();
    assertThat(acme.getJsonArray("limits").stream().map(o -> ((JsonObject) o).getString("limit")))
        .containsExactly("5/min", "50/day", "3 in flight");
  }

  @Test
  void usage_tells_each_limit_of_a_subject() {
    asks("acme");
    asks("acme");
    JsonObject body = new JsonObject(get("/admin/v1/usage?layer=caller&subject=acme").body());
    JsonArray limits = body.getJsonArray("limits");
    assertThat(limits).hasSize(3);
    JsonObject first = limits.getJsonObject(0);
    assertThat(first.getString("limit")).isEqualTo("5/min");
    assertThat(first.getLong("permits")).isEqualTo(5);
    assertThat(first.getLong("used")).isEqualTo(2);
    assertThat(first.getLong("remaining")).isEqualTo(3);
    assertThat(first.getLong("effective_limit")).isEqualTo(5);
    assertThat(first.getLong("reset_ms")).isEqualTo(24_000);
    assertThat(first.getLong("retry_after_ms")).isZero();
    assertThat(first.getInteger("line")).isEqualTo(9);
    assertThat(limits.getJsonObject(1).getLong("used")).isEqualTo(2);
  }

  @Test
  void looking_makes_no_counter_and_charges_nothing() {
    long before = gateway.ledger.subjects();
    for (int i = 0; i < 100; i++) {
      assertThat(get("/admin/v1/usage?layer=caller&subject=c" + i).status()).isEqualTo(200);
    }
    assertThat(gateway.ledger.subjects()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/admin/v1/usage|the parameter `layer` is no layer; write one of node, caller, user, api",
        "/admin/v1/usage?layer=x&subject=a|the parameter `layer` is no layer; write one of node, caller, user, api",
        "/admin/v1/usage?layer=node|the parameter `subject` is left out; write `subject=app-a`",
        "/admin/v1/usage?layer=node&subject=node&x=1|the parameter `x` is not known here; write layer, subject",
        "/admin/v1/usage?layer=caller&subject=a%zz|in the query a `%` needs two hexadecimal digits after it; write %25 for it",
        "/healthz?%|in the query a `%` needs two hexadecimal digits after it; write %25 for it",
        "/admin/v1/quotas?x=1|the parameter `x` is not known here; write none"
      })
  void a_wrong_question_is_told_what_to_write(String target, String message) {
    RawHttp.Reply reply = get(target);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(new JsonObject(reply.body()).getString("message")).isEqualTo(message);
  }

  @Test
  void a_subject_that_none_can_be_is_a_400() {
    assertThat(get("/admin/v1/usage?layer=user&subject=no-slash").status()).isEqualTo(400);
    assertThat(
            post(
                    "/admin/v1/reset",
                    new JsonObject().put("layer", "user").put("subject", "no-slash"))
                .status())
        .isEqualTo(400);
  }

  @Test
  void B79_a_reset_empties_all_limits_of_one_subject_and_of_no_other() {
    for (String caller : List.of("acme", "acme2", "acme*", "acmeX")) {
      for (int i = 0; i < 5; i++) {
        assertThat(asks(caller)).isTrue();
      }
      assertThat(asks(caller)).as(caller).isFalse();
    }
    RawHttp.Reply reply =
        post(
            "/admin/v1/reset",
            new JsonObject().put("layer", "caller").put("subject", "acme").put("reason", "a test"));
    assertThat(reply.status()).isEqualTo(200);
    JsonObject body = new JsonObject(reply.body());
    assertThat(body.getLong("emptied")).isEqualTo(2);
    assertThat(body.getJsonArray("limits").getJsonObject(1).getLong("used")).as("a day").isZero();
    assertThat(asks("acme")).isTrue();
    assertThat(asks("acme2")).isFalse();
    assertThat(asks("acme*")).isFalse();
    assertThat(asks("acmeX")).isFalse();
  }

  @Test
  void explain_says_which_quotas_apply_from_which_line() {
    RawHttp.Reply reply =
        post(
            "/admin/v1/explain",
            new JsonObject()
                .put("caller", "acme")
                .put("user", "u1")
                .put("method", "GET")
                .put("path", "//feed/"));
    assertThat(reply.status()).isEqualTo(200);
    JsonObject body = new JsonObject(reply.body());
    assertThat(body.getString("path")).isEqualTo("/feed");
    assertThat(body.getJsonObject("route").getString("upstream")).isEqualTo("a");
    assertThat(
            body.getJsonArray("quotas").stream()
                .map(JsonObject.class::cast)
                .map(quota -> quota.getString("subject") + " " + quota.getInteger("line")))
        .containsExactly("node 5", "acme 9", "acme/u1 9", "GET /feed 12");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"path\":\"/\"}|`method` is left out; write `\"GET\"`",
        "{\"method\":\"GET\"}|`path` is left out; write `\"/user/info\"`",
        "{\"method\":\"GET\",\"path\":\"/\",\"unproven\":1}|`unproven` is no flag; write true or false"
      })
  void a_question_without_its_parts_is_told_which(String body, String message) {
    RawHttp.Reply reply = post("/admin/v1/explain", "application/json", body);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(new JsonObject(reply.body()).getString("message")).isEqualTo(message);
  }

  @Test
  void a_path_without_a_canonical_form_is_a_400_as_it_would_be() {
    assertThat(
            post("/admin/v1/explain", new JsonObject().put("method", "GET").put("path", "/a%2Fb"))
                .status())
        .isEqualTo(400);
  }

  @Test
  void check_tells_all_that_is_wrong_and_what_would_change_and_uses_nothing() {
    RawHttp.Reply sound =
        post("/admin/v1/check", "application/yaml", TEXT.replace("acme2: 5/min", "acme2: 6/min"));
    assertThat(sound.status()).isEqualTo(200);
    JsonObject body = new JsonObject(sound.body());
    assertThat(body.getBoolean("valid")).isTrue();
    assertThat(body.getJsonArray("changes")).hasSize(1);
    assertThat(body.getJsonArray("changes").getString(0))
        .startsWith("caller.overrides.acme2: ")
        .contains("6/min");
    JsonObject faulty =
        new JsonObject(
            post(
                    "/admin/v1/check",
                    new JsonObject().put("text", "quotas: { caler: {}, node: 0/s }\n"))
                .body());
    assertThat(faulty.getBoolean("valid")).isFalse();
    assertThat(faulty.getJsonArray("errors")).hasSize(2);
    assertThat(faulty.getJsonArray("errors").getString(0)).startsWith("quotatree.yaml:1:11: ");
    assertThat(asks("acme2")).isTrue();
  }

  @Test
  void a_reload_tells_what_came_of_it() {
    QuotaFile changed = sound(TEXT.replace("acme2: 5/min", "acme2: 6/min"));
    reloading.set(
        Optional.of(() -> new Reload.Taken(changed, List.of(), Difference.between(file, changed))));
    RawHttp.Reply reply =
        admin.send("POST /admin/v1/reload HTTP/1.1\r\nHost: localhost\r\n\r\n").reply();
    assertThat(reply.status()).isEqualTo(200);
    JsonObject body = new JsonObject(reply.body());
    assertThat(body.getLong("revision")).isEqualTo(7);
    assertThat(body.getJsonArray("changes")).hasSize(1);
  }

  @Test
  void a_reload_of_a_file_with_errors_is_a_422_that_lists_them() {
    Reading.Faulty faulty =
        (Reading.Faulty)
            QuotaFiles.read("f.yaml", "quotas: { node: 0/s }".getBytes(StandardCharsets.UTF_8));
    reloading.set(Optional.of(() -> new Reload.Refused(faulty.errors())));
    RawHttp.Reply reply = post("/admin/v1/reload", new JsonObject().put("reason", "a try"));
    assertThat(reply.status()).isEqualTo(422);
    assertThat(reply.field("content-type")).isEqualTo("application/problem+json");
    assertThat(new JsonObject(reply.body()).getJsonArray("errors").getString(0))
        .startsWith("f.yaml:1:17: `0/s` grants nothing");
  }

  @Test
  void where_there_is_no_file_there_is_nothing_to_reload() {
    assertThat(post("/admin/v1/reload", new JsonObject()).status()).isEqualTo(409);
  }

  @ParameterizedTest
  @CsvSource({"overrides", "report", "audit", "live"})
  void what_is_not_there_yet_is_a_404(String name) {
    assertThat(get("/admin/v1/" + name).status()).isEqualTo(404);
  }
}
