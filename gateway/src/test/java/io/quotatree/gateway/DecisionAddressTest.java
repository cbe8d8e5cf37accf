package io.quotatree.gateway;

import static java.net.http.HttpResponse.BodyHandlers.ofString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.policy.QuotaTree;
import io.quotatree.gateway.decision.DecideTokens;
import io.quotatree.gateway.decision.DecideTokens.Hashed;
import io.quotatree.gateway.decision.DecisionHandler.Certificates;
import io.quotatree.gateway.decision.DecisionHandler.Credentials;
import io.quotatree.gateway.server.Tls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The decision API on an address of its own, for those who present a token. */
class DecisionAddressTest {

  private static final String PAY = "{\"method\":\"POST\",\"path\":\"/order/pay\"}";

  private final DecideTokens tokens =
      new DecideTokens(List.of(hashed("salt-of-a", "token-of-a"), hashed("salt-of-b", "b-token")));
  private final RunningGateway gateway =
      RunningGateway.of(QuotaTree.empty())
          .decidingFor(new Credentials(Optional.of(tokens), Certificates.ADMIT_NOBODY))
          .start();

  @AfterEach
  void end() {
    gateway.close();
  }

  private static Hashed hashed(String salt, String token) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest((salt + token).getBytes(StandardCharsets.UTF_8));
      return new Hashed(salt, HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private int decide(String authorization) {
    return new DecisionClient(gateway.decideAt.port(), authorization)
        .post("/v1/decide", PAY)
        .statusCode();
  }

  @Test
  void each_of_the_tokens_admits() {
    assertThat(decide("Bearer token-of-a")).isEqualTo(200);
    assertThat(decide("bearer b-token")).isEqualTo(200);
  }

  @Test
  void without_one_of_the_tokens_nothing_is_told_of_what_is_there() {
    for (String wrong :
        List.of(
            "",
            "Bearer",
            "Bearer ",
            "Bearer token-of-b",
            "Basic token-of-a",
            "token-of-a",
            "Bearer salt-of-atoken-of-a",
            "Bearer " + "x".repeat(600))) {
      assertThat(decide(wrong)).as(wrong).isEqualTo(401);
    }
    try (RawHttp http = RawHttp.connect(gateway.decideAt.port())) {
      RawHttp.Reply reply = http.ask("GET", "/metrics");
      assertThat(reply.status()).isEqualTo(401);
      assertThat(reply.field("www-authenticate")).isEqualTo("Bearer");
      assertThat(reply.body()).doesNotContain("/v1/");
    }
  }

  @Test
  void a_token_that_is_there_twice_admits_nobody() {
    try (RawHttp http = RawHttp.connect(gateway.decideAt.port())) {
      assertThat(
              http.ask(
                      "GET",
                      "/v1/decide",
                      "Authorization: Bearer token-of-a",
                      "Authorization: Bearer b-token")
                  .status())
          .isEqualTo(401);
    }
  }

  @Test
  void other_tokens_hold_for_the_very_next_request() {
    tokens.replace(List.of(hashed("s", "new")));
    assertThat(decide("Bearer token-of-a")).isEqualTo(401);
    assertThat(decide("Bearer new")).isEqualTo(200);
  }

  @Test
  void health_is_free_and_the_admin_api_is_not_here() {
    try (RawHttp http = RawHttp.connect(gateway.decideAt.port())) {
      assertThat(http.ask("GET", "/healthz").status()).isEqualTo(200);
      assertThat(http.ask("GET", "/metrics", "Authorization: Bearer b-token").status())
          .isEqualTo(404);
    }
    assertThat(gateway.decideAt.port())
        .isNotEqualTo(gateway.port())
        .isNotEqualTo(gateway.adminPort());
  }

  @Test
  void a_client_certificate_admits_without_a_token(@TempDir Path folder) throws Exception {
    TestCertificate own = TestCertificate.of(folder, "server", "EC");
    TestCertificate known = TestCertificate.of(folder, "known", "EC");
    Path cert = Files.writeString(folder.resolve("server.crt"), own.certPem());
    Path key = Files.writeString(folder.resolve("server.key"), own.keyPem());
    Path clients = Files.writeString(folder.resolve("clients.crt"), known.certPem());
    try (RunningGateway certified =
        RunningGateway.of(QuotaTree.empty())
            .tls(new Tls(cert, key, Optional.of(clients)))
            .decidingFor(new Credentials(Optional.empty(), Certificates.ADMIT))
            .start()) {
      HttpRequest pay =
          HttpRequest.newBuilder(
                  URI.create("https://127.0.0.1:" + certified.decideAt.port() + "/v1/decide"))
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(PAY))
              .build();
      assertThat(over(known.contextTrusting(own)).send(pay, ofString()).statusCode())
          .isEqualTo(200);
      HttpClient stranger = over(TestCertificate.trusting(own));
      assertThatThrownBy(() -> stranger.send(pay, ofString())).isInstanceOf(IOException.class);
    }
  }

  private static HttpClient over(SSLContext context) {
    return HttpClient.newBuilder().sslContext(context).build();
  }

  @Test
  void an_address_that_admits_nobody_is_none() {
    assertThatThrownBy(() -> new Credentials(Optional.empty(), Certificates.ADMIT_NOBODY))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
