package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.QuotaTree;
import io.quotatree.gateway.calls.Call;
import io.quotatree.gateway.calls.CallTable;
import io.quotatree.gateway.calls.JsonFields;
import io.quotatree.http.Answer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every call of an API has in common. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CallsTest {

  private static final Call.Content SHORT =
      new Call.Content(List.of("application/json"), 100, Call.Presence.REQUIRED);

  private final RunningGateway gateway =
      RunningGateway.of(QuotaTree.empty())
          .calls(
              Call.get("/v1/thing", CallsTest::parameter),
              Call.post("/v1/thing", CallsTest::echo),
              Call.post("/v1/short", CallsTest::echo).taking(SHORT).onWorker(),
              Call.post("/v1/bare", CallsTest::echo).withOptionalBody(),
              Call.post(
                  "/v1/broken",
                  asked -> {
                    throw new IllegalStateException("a secret of the inside");
                  }))
          .start();
  private RawHttp admin = RawHttp.connect(gateway.adminPort());

  private static Answer parameter(io.quotatree.gateway.calls.Asked asked) {
    asked.knowsOnly("layer");
    return CallTable.json(200, new JsonObject().put("layer", asked.parameter("layer").orElse("-")));
  }

  private static Answer echo(io.quotatree.gateway.calls.Asked asked) {
    JsonFields fields = asked.fields("caller", "cost", "attributes");
    return CallTable.json(
        200,
        new JsonObject()
            .put("caller", fields.text("caller", 10).orElse("-"))
            .put("cost", fields.whole("cost", 0, 1_000_000_000).orElse(1L))
            .put(
                "ip",
                fields
                    .object("attributes", List.of("ip"))
                    .map(inner -> inner.required("ip", 40, "192.0.2.1"))
                    .orElse("-")));
  }

  @BeforeEach
  void connect() {
    admin.close();
    admin = RawHttp.connect(gateway.adminPort());
  }

  @AfterAll
  void stop() {
    admin.close();
    gateway.close();
  }

  private RawHttp.Reply get(String target) {
    return admin.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n").reply();
  }

  private RawHttp.Reply post(String path, String type, String body) {
    return admin
        .send(
            "POST "
                + path
                + " HTTP/1.1\r\nHost: localhost\r\n"
                + (type.isEmpty() ? "" : "Content-Type: " + type + "\r\n")
                + "Content-Length: "
                + body.length()
                + "\r\n\r\n"
                + body)
        .reply();
  }

  @Test
  void a_call_is_found_by_method_and_path() {
    assertThat(get("/v1/thing?layer=caller").body()).isEqualTo("{\"layer\":\"caller\"}");
    assertThat(post("/v1/thing", "application/json; charset=utf-8", "{\"cost\":5}").body())
        .isEqualTo("{\"caller\":\"-\",\"cost\":5,\"ip\":\"-\"}");
  }

  @Test
  void another_method_is_a_405_that_names_those_there_are() {
    RawHttp.Reply reply =
        admin.send("DELETE /v1/thing HTTP/1.1\r\nHost: localhost\r\n\r\n").reply();
    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.field("allow")).isEqualTo("GET, HEAD, POST");
    assertThat(get("/v1/short").field("allow")).isEqualTo("POST");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v1/thing?other=1|the parameter `other` is not known here; write layer",
        "/v1/thing?layer=a&layer=b|the parameter `layer` is there 2 times; write one"
      })
  void parameters_are_read_strictly(String target, String message) {
    RawHttp.Reply reply = get(target);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(new JsonObject(reply.body()).getString("message")).isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"calller\":\"a\"}|`calller` is not known here; write one of caller, cost, attributes",
        "{\"caller\":7}|`caller` is no text; write a text such as \"app-a\"",
        "{\"caller\":\"01234567890\"}|`caller` has 11 characters; write a text of 10 at most",
        "{\"cost\":-1}|`cost` is no whole number within bounds; write a whole number from 0 to 1000000000",
        "{\"cost\":1.5}|`cost` is no whole number within bounds; write a whole number from 0 to 1000000000",
        "{\"cost\":1e30}|`cost` is no whole number within bounds; write a whole number from 0 to 1000000000",
        "{\"cost\":99999999999999999999}|`cost` is no whole number within bounds; write a whole number from 0 to 1000000000",
        "{\"attributes\":[]}|`attributes` is no object; write an object with ip",
        "{\"attributes\":{\"ipp\":1}}|`attributes.ipp` is not known here; write one of ip",
        "{\"attributes\":{}}|`attributes.ip` is left out; write 192.0.2.1",
        "[]|the body is no object; write one, such as {}",
        "null|the body is null; write an object"
      })
  void a_body_is_read_strictly(String body, String message) {
    RawHttp.Reply reply = post("/v1/thing", "application/json", body);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.field("content-type")).isEqualTo("application/problem+json");
    assertThat(new JsonObject(reply.body()).getString("message")).isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {"{\"a\"|x", "{} {}|x", "{'a':1}|x", "<a/>|x"})
  void what_is_no_json_is_a_400(String body, String ignored) {
    RawHttp.Reply reply = post("/v1/thing", "application/json", body);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.body()).contains("the body is no JSON");
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "''"
      })
  void what_a_page_could_send_unasked_is_a_415(String type) {
    assertThat(post("/v1/thing", type, "{}").status()).isEqualTo(415);
    assertThat(post("/v1/bare", type, "{}").status()).isEqualTo(415);
  }

  @Test
  void a_body_may_be_left_out_where_the_call_says_so() {
    assertThat(post("/v1/bare", "", "").status()).isEqualTo(200);
    assertThat(post("/v1/bare", "application/json", "").status()).isEqualTo(200);
    assertThat(post("/v1/thing", "application/json", "").status()).isEqualTo(400);
    assertThat(post("/v1/thing", "", "").status()).isEqualTo(415);
  }

  @Test
  void a_body_is_bounded_whether_it_says_its_length_or_not() {
    assertThat(post("/v1/short", "application/json", " ".repeat(98) + "{}").status())
        .isEqualTo(200);
    assertThat(post("/v1/short", "application/json", " ".repeat(99) + "{}").status())
        .isEqualTo(413);
    connect();
    RawHttp.Reply chunked =
        admin
            .send(
                "POST /v1/short HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n33\r\n"
                    + " ".repeat(0x33)
                    + "\r\n33\r\n"
                    + " ".repeat(0x33)
                    + "\r\n")
            .reply();
    assertThat(chunked.status()).isEqualTo(413);
  }

  @Test
  void who_waits_to_be_told_to_go_on_is_told() {
    admin.send(
        """
        POST /v1/thing HTTP/1.1\r
        Host: localhost\r
        Content-Type: application/json\r
        Expect: 100-continue\r
        Content-Length: 2\r
        \r
        """);
    assertThat(admin.head().status()).isEqualTo(100);
    assertThat(admin.send("{}").reply().status()).isEqualTo(200);
  }

  @Test
  void a_mistake_of_ours_tells_nothing_of_the_inside() {
    RawHttp.Reply reply = post("/v1/broken", "application/json", "{}");
    assertThat(reply.status()).isEqualTo(500);
    assertThat(reply.body()).doesNotContain("secret");
    assertThat(get("/healthz").status()).as("it goes on").isEqualTo(200);
  }
}
