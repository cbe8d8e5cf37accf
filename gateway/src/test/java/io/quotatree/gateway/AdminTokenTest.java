package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.policy.QuotaTree;
import io.quotatree.gateway.admin.BearerToken;
import io.quotatree.gateway.calls.Call;
import io.quotatree.gateway.calls.CallTable;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An admin address that other machines can reach. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AdminTokenTest {

  private static final String SECRET = "0123456789abcdef0123456789abcdef";

  private final BearerToken token = new BearerToken(SECRET);
  private final List<String> bodies = new ArrayList<>();
  private final RunningGateway gateway =
      RunningGateway.of(QuotaTree.empty())
          .adminEverywhere(token)
          .calls(
              Call.post(
                  "/change",
                  asked -> {
                    bodies.add(asked.body().toString());
                    return CallTable.json(200, new JsonObject());
                  }))
          .start();
  private RawHttp admin = RawHttp.connect(gateway.adminPort());

  @BeforeEach
  void connect() {
    admin.close();
    admin = RawHttp.connect(gateway.adminPort());
    bodies.clear();
    token.replace(SECRET);
  }

  @AfterAll
  void stop() {
    admin.close();
    gateway.close();
  }

  private RawHttp.Reply get(String path, String... lines) {
    return admin.ask("GET", path, lines);
  }

  private RawHttp.Reply at(String host, String path, String... lines) {
    String more = lines.length == 0 ? "" : String.join("\r\n", lines) + "\r\n";
    return admin
        .send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + more + "\r\n")
        .reply();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/healthz", "/readyz"})
  void probes_need_no_token_and_come_by_address(String path) {
    assertThat(at("10.1.2.3:9090", path).status()).isEqualTo(200);
    assertThat(at("[fd00::7]:9090", path).status()).isEqualTo(200);
  }

  @Test
  void metrics_need_the_token_as_prometheus_sends_it() {
    assertThat(at("10.1.2.3:9090", "/metrics").status()).isEqualTo(401);
    RawHttp.Reply page = at("10.1.2.3:9090", "/metrics", "Authorization: Bearer " + SECRET);
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.body()).contains("quotatree_decisions_total");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Nothing: x",
        "Authorization: Bearer",
        "Authorization: Bearer ",
        "Authorization: Bearer 0123456789abcdef0123456789abcde",
        "Authorization: Bearer 0123456789abcdef0123456789abcdef0",
        "Authorization: Bearer 0123456789ABCDEF0123456789ABCDEF",
        "Authorization: Basic 0123456789abcdef0123456789abcdef",
        "Authorization: 0123456789abcdef0123456789abcdef",
        "Authorization: Bearer " + SECRET + "\r\nAuthorization: Bearer x"
      })
  void every_wrong_token_gets_the_same_answer_whatever_it_asks_for(String line) {
    RawHttp.Reply missing = at("127.0.0.1", "/metrics", line);
    assertThat(missing.status()).isEqualTo(401);
    assertThat(missing.field("www-authenticate")).isEqualTo("Bearer");
    assertThat(missing.field("content-type")).isEqualTo("application/problem+json");
    RawHttp.Reply nothing = at("127.0.0.1", "/no/such/call", line);
    assertThat(nothing.body()).isEqualTo(missing.body());
    assertThat(nothing.status()).isEqualTo(401);
  }

  @Test
  void the_scheme_is_read_in_any_case() {
    assertThat(at("127.0.0.1", "/metrics", "Authorization: BEARER " + SECRET).status())
        .isEqualTo(200);
  }

  @Test
  void names_of_others_are_refused_with_the_token_too() {
    assertThat(get("/metrics", "Authorization: Bearer " + SECRET).status())
        .as("shop.example")
        .isEqualTo(403);
    assertThat(at("gateway-01", "/metrics", "Authorization: Bearer " + SECRET).status())
        .isEqualTo(200);
  }

  @Test
  void another_secret_holds_for_the_very_next_request() {
    token.replace("another-secret-that-is-long-enough");
    assertThat(at("127.0.0.1", "/metrics", "Authorization: Bearer " + SECRET).status())
        .isEqualTo(401);
    assertThat(
            at("127.0.0.1", "/metrics", "Authorization: Bearer another-secret-that-is-long-enough")
                .status())
        .isEqualTo(200);
  }

  @Test
  void without_the_token_no_body_is_taken() {
    RawHttp.Reply reply =
        admin
            .send(
                "POST /change HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 2\r\n\r\n{}")
            .reply();
    assertThat(reply.status()).isEqualTo(401);
    assertThat(bodies).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "two words", "naïve", "line\nbreak"})
  void a_secret_that_no_header_can_carry_is_none(String secret) {
    assertThatThrownBy(() -> new BearerToken(secret))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("openssl rand");
  }
}
