package io.quotatree.gateway;

import static io.quotatree.gateway.Trees.MINUTE;
import static io.quotatree.gateway.Trees.callers;
import static io.quotatree.gateway.Trees.exact;
import static io.quotatree.gateway.Trees.node;
import static io.quotatree.gateway.Trees.users;
import static io.quotatree.gateway.Trees.window;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.UserLines;
import io.quotatree.core.policy.UserLines.Anonymous;
import io.quotatree.core.policy.UserLines.By;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The decision API over HTTP, on a clock that the test moves. */
class DecisionApiTest {

  private static final Quota TWO_AT_ONCE = Quota.of(Allowance.UNLIMITED).withConcurrency(2);

  @SuppressWarnings("NullAway.Init") // by start, in each test
  private RunningGateway gateway;

  @SuppressWarnings("NullAway.Init")
  private DecisionClient client;

  private void start(QuotaTree tree, int mostIds) {
    gateway = RunningGateway.of(exact(tree)).deciding(mostIds).start();
    client = DecisionClient.of(gateway);
  }

  private void start(QuotaTree tree) {
    start(tree, 10_000);
  }

  @AfterEach
  void end() {
    gateway.close();
  }

  private static JsonObject pay() {
    return new JsonObject()
        .put("caller", "app-a")
        .put("user", "u1")
        .put("method", "POST")
        .put("path", "/order/pay");
  }

  private static QuotaTree twoAtOnce() {
    return QuotaTree.empty().withCaller(callers(TWO_AT_ONCE));
  }

  private static QuotaTree tenAMinute() {
    return QuotaTree.empty().withUser(users(window(10, MINUTE)));
  }

  private long left() {
    return gateway.limiter.peek(Layer.USER, "app-a/u1").get(0).remainingPermits();
  }

  @Test
  void an_allowed_request_is_told_its_scarcest_limit_and_the_fields_to_answer_with() {
    start(tenAMinute());
    JsonObject answer = client.decide(pay().put("cost", 3));
    assertThat(answer.getString("id")).matches("[0-9a-f]{32}");
    answer.remove("id");
    JsonObject headers = (JsonObject) answer.remove("headers");
    assertThat(answer.encode())
        .isEqualTo(
            "{\"allowed\":true,\"outcome\":\"allowed\",\"layer\":\"user\",\"subject\":\"app-a/u1\","
                + "\"limit\":10,\"used\":3,\"remaining\":7,\"retry_after_ms\":null,"
                + "\"reset\":\"2026-01-01T00:01:00Z\",\"sure\":\"exact\"}");
    assertThat(headers.getString("RateLimit")).isEqualTo("\"user\";r=7;t=60");
    assertThat(headers.getString("X-RateLimit-Remaining")).isEqualTo("7");
    assertThat(headers.fieldNames()).doesNotContain("Content-Type");
  }

  @Test
  void a_refused_request_is_told_who_refuses_it_and_for_how_long() {
    start(tenAMinute());
    client.decide(pay().put("cost", 10));
    gateway.ticker.advance(Duration.ofMillis(54_570));
    JsonObject answer = client.decide(pay());
    assertThat(answer.getBoolean("allowed")).isFalse();
    assertThat(answer.getString("outcome")).isEqualTo("refused");
    assertThat(answer.getInteger("used")).isEqualTo(10);
    assertThat(answer.getInteger("retry_after_ms")).isEqualTo(5_430);
    assertThat(answer.getJsonObject("headers").getString("Retry-After")).isEqualTo("6");
    assertThat(client.release(answer.getString("id"))).isEqualTo(404);
  }

  @Test
  void a_blocked_caller_is_told_no_time_to_come_back() {
    start(QuotaTree.empty().withCaller(callers(Quota.of(Allowance.BLOCKED))));
    JsonObject answer = client.decide(pay());
    assertThat(answer.getString("layer")).isEqualTo("caller");
    assertThat(answer.getInteger("limit")).isZero();
    assertThat(answer.getValue("retry_after_ms")).isNull();
    assertThat(answer.getValue("reset")).isNull();
    assertThat(answer.getJsonObject("headers").containsKey("Retry-After")).isFalse();
  }

  @Test
  void a_request_that_meets_no_limit_is_allowed_and_can_be_settled() {
    start(QuotaTree.empty());
    JsonObject answer = client.decide(pay());
    assertThat(answer.getBoolean("allowed")).isTrue();
    assertThat(answer.getValue("layer")).isNull();
    assertThat(client.settle(answer.getString("id"), 5)).isEqualTo(200);
  }

  @Test
  void an_array_is_decided_in_its_order() {
    start(tenAMinute());
    JsonArray answers =
        client.decide(
            new JsonArray()
                .add(pay().put("cost", 6))
                .add(pay().put("cost", 6))
                .add(pay().put("cost", 4))
                .add(pay().put("user", "u2").put("cost", 10)));
    assertThat(answers.stream().map(a -> ((JsonObject) a).getBoolean("allowed")))
        .containsExactly(true, false, true, true);
    assertThat(answers.stream().map(a -> ((JsonObject) a).getString("id")).distinct()).hasSize(4);
  }

  @Test
  void one_wrong_item_of_an_array_and_nothing_is_decided() {
    start(tenAMinute());
    String body = new JsonArray().add(pay()).add(pay().put("cost", -1)).encode();
    assertThat(client.complaint("/v1/decide", body))
        .isEqualTo(
            "400 `[1].cost` is no whole number within bounds;"
                + " write a whole number from 0 to 1000000000");
    assertThat(left()).isEqualTo(10);
  }

  @Test
  void an_array_may_be_so_long_and_no_longer() {
    start(QuotaTree.empty());
    JsonArray most = new JsonArray();
    for (int i = 0; i < 1_000; i++) {
      most.add(pay());
    }
    assertThat(client.decide(most)).hasSize(1_000);
    assertThat(client.complaint("/v1/decide", most.add(pay()).encode()))
        .isEqualTo("400 the array has 1001 items; write 1 to 1000");
    assertThat(client.complaint("/v1/decide", "[]"))
        .isEqualTo("400 the array has 0 items; write 1 to 1000");
    assertThat(client.post("/v1/decide", "\"" + "x".repeat(1 << 20) + "\"").statusCode())
        .isEqualTo(413);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"path\":\"/\"} | `method` is left out; write \"GET\"",
        "{\"method\":\"get\",\"path\":\"/\"} | `method` is not in upper case; write one such as \"GET\"",
        "{\"method\":\"GET\"} | `path` is left out; write \"/order/pay\"",
        "{\"method\":\"GET\",\"path\":\"/x?y=1\"} | `path` has a query or fragment; write what stands before it",
        "{\"method\":\"GET\",\"path\":\"/\",\"costs\":{}} | `costs` is not known here; write one of caller, user, plan, method, path, cost, hold, attributes",
        "{\"method\":\"GET\",\"path\":\"/\",\"cost\":1.5} | `cost` is no whole number within bounds; write a whole number from 0 to 1000000000",
        "{\"method\":\"GET\",\"path\":\"/\",\"cost\":1000000001} | `cost` is no whole number within bounds; write a whole number from 0 to 1000000000",
        "{\"method\":\"GET\",\"path\":\"/\",\"caller\":7} | `caller` is no text; write a text such as \"app-a\"",
        "{\"method\":\"GET\",\"path\":\"/\",\"hold\":\"2h\"} | `hold` is out of bounds; write 1ms to 1h, such as \"60s\"",
        "{\"method\":\"GET\",\"path\":\"/\",\"hold\":\"60\"} | `hold` is no time; write 1ms to 1h, such as \"60s\"",
        "{\"method\":\"GET\",\"path\":\"/\",\"attributes\":{\"ip\":\"localhost\"}} | `attributes.ip` is no address; write one such as \"192.0.2.1\" or \"2001:db8::1\"",
        "{\"method\":\"GET\",\"path\":\"/\",\"attributes\":{\"zone\":\"a\"}} | `attributes.zone` is not known here; write one of ip, session",
        "7 | the body is no object and no array; write one, or several in [ ]"
      })
  void what_is_wrong_is_told_by_its_name(String body, String complaint) {
    start(QuotaTree.empty());
    assertThat(client.complaint("/v1/decide", body)).isEqualTo("400 " + complaint);
  }

  @Test
  void a_path_with_two_readings_is_refused_and_charges_nothing() {
    start(QuotaTree.empty().withNode(node(window(10, MINUTE)).node()));
    assertThat(client.complaint("/v1/decide", pay().put("path", "/a/%2e%2e/b").encode()))
        .startsWith("400 `path` has no one reading: ");
    assertThat(gateway.limiter.peek(Layer.NODE, "node").get(0).remainingPermits()).isEqualTo(10);
  }

  @Test
  void anonymous_users_are_told_apart_by_the_address_that_is_sent() {
    UserLines users =
        new UserLines(null, null, Map.of(), new Anonymous(Set.of(""), window(1, MINUTE), By.IP));
    start(QuotaTree.empty().withUser(users));
    JsonObject nobody = pay().put("user", "");
    for (String ip : List.of("192.0.2.1", "2001:db8::1", "::ffff:192.0.2.2")) {
      JsonObject asked = nobody.copy().put("attributes", new JsonObject().put("ip", ip));
      assertThat(client.decide(asked).getBoolean("allowed")).as(ip).isTrue();
      assertThat(client.decide(asked).getBoolean("allowed")).as(ip).isFalse();
    }
  }

  @Test
  void G4_a_client_that_never_releases_gets_its_permit_back_after_the_hold() {
    start(twoAtOnce());
    client.decide(pay());
    client.decide(pay().put("hold", "2min"));
    assertThat(client.decide(pay()).getString("layer")).isEqualTo("caller");
    gateway.ticker.advance(Duration.ofMillis(59_999));
    assertThat(client.decide(pay()).getBoolean("allowed")).isFalse();
    gateway.ticker.advance(Duration.ofMillis(1));
    assertThat(client.decide(pay()).getBoolean("allowed")).isTrue();
    assertThat(client.decide(pay()).getBoolean("allowed")).isFalse();
    gateway.ticker.advance(Duration.ofMinutes(2));
    assertThat(client.decide(pay()).getBoolean("allowed")).isTrue();
    gateway.ticker.advance(Duration.ofHours(1));
    assertThat(gateway.tickets.holding()).isZero();
    assertThat(gateway.tickets.live()).isZero();
  }

  @Test
  void B37_a_second_release_is_a_404_and_gives_nothing_back_twice() {
    start(twoAtOnce());
    String first = client.decide(pay()).getString("id");
    client.decide(pay());
    assertThat(client.release(first)).isEqualTo(200);
    for (int i = 0; i < 10; i++) {
      assertThat(client.release(first)).isEqualTo(404);
    }
    assertThat(client.decide(pay()).getBoolean("allowed")).isTrue();
    assertThat(client.decide(pay()).getBoolean("allowed")).isFalse();
    assertThat(gateway.tickets.unknown()).isEqualTo(10);
  }

  @Test
  void a_renewed_hold_is_told_until_when() {
    start(twoAtOnce());
    String id = client.decide(pay()).getString("id");
    gateway.ticker.advance(Duration.ofSeconds(50));
    HttpResponse<String> renewed = client.renew(id, "5min");
    assertThat(new JsonObject(renewed.body()).getString("held_until"))
        .isEqualTo("2026-01-01T00:05:50Z");
    gateway.ticker.advance(Duration.ofMinutes(5));
    assertThat(client.renew(id, "5min").statusCode()).isEqualTo(404);
  }

  @Test
  void a_true_cost_replaces_the_charge_once() {
    start(tenAMinute());
    String id = client.decide(pay().put("cost", 8)).getString("id");
    assertThat(client.settle(id, 3)).isEqualTo(200);
    assertThat(left()).isEqualTo(7);
    assertThat(client.settle(id, 0)).isEqualTo(404);
    assertThat(left()).isEqualTo(7);
    String other = client.decide(pay()).getString("id");
    assertThat(client.settle(other, 40)).isEqualTo(200);
    JsonObject refused = client.decide(pay());
    assertThat(refused.getInteger("remaining")).isZero();
    assertThat(refused.getInteger("retry_after_ms")).isEqualTo(60_000);
  }

  @Test
  void an_id_is_forgotten_after_ten_minutes() {
    start(tenAMinute());
    String id = client.decide(pay()).getString("id");
    gateway.ticker.advance(Duration.ofMinutes(10));
    assertThat(client.settle(id, 0)).isEqualTo(404);
    assertThat(client.complaint("/v1/settle", "{\"id\":\"" + id + "\",\"cost\":0}"))
        .startsWith("404 nothing is open by this id");
  }

  @Test
  void ids_that_are_none_are_unknown_and_ids_left_out_are_told() {
    start(tenAMinute());
    for (String id : List.of("x", "0".repeat(32), "../../etc", "é")) {
      assertThat(client.release(id)).as(id).isEqualTo(404);
    }
    assertThat(client.complaint("/v1/release", "{}"))
        .isEqualTo("400 `id` is left out; write the id that the decision was answered with");
    assertThat(client.complaint("/v1/settle", "{\"id\":\"x\"}"))
        .isEqualTo("400 `cost` is left out; write the true cost; 0 refunds it");
  }

  @Test
  void where_all_ids_hold_permits_nothing_more_is_decided_until_one_is_released() {
    start(
        QuotaTree.empty().withCaller(callers(Quota.of(Allowance.UNLIMITED).withConcurrency(9))), 3);
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      ids.add(client.decide(pay()).getString("id"));
    }
    HttpResponse<String> refused = client.post("/v1/decide", pay().encode());
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    ids.forEach(id -> assertThat(client.release(id)).isEqualTo(200));
    assertThat(client.decide(pay()).getBoolean("allowed")).isTrue();
  }

  @Test
  void its_decisions_are_counted_with_the_gateways_own_and_share_their_quotas() {
    start(tenAMinute());
    client.decide(pay().put("cost", 10));
    client.decide(pay());
    try (RawHttp http = gateway.connect()) {
      assertThat(http.ask("POST", "/order/pay", Trees.as("app-a", "u1")).status()).isEqualTo(429);
    }
    assertThat(gateway.page.scrape())
        .contains("quotatree_decisions_total{layer=\"user\",outcome=\"refused\"} 2.0");
  }

  @Test
  void the_calls_take_posts_of_json_alone() {
    start(tenAMinute());
    try (RawHttp http = RawHttp.connect(gateway.adminPort())) {
      http.send("GET /v1/decide HTTP/1.1\r\nHost: localhost\r\n\r\n");
      RawHttp.Reply reply = http.reply();
      assertThat(reply.status()).isEqualTo(405);
      assertThat(reply.field("allow")).isEqualTo("POST");
    }
  }
}
