package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.QuotaTree;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that nobody vouches for. */
final class UntrustedTest {

  private final TestUpstream upstream = TestUpstream.echo();
  private final RunningGateway gateway =
      RunningGateway.of(QuotaTree.empty())
          .identity(RunningGateway.UNTRUSTED)
          .to(upstream.port())
          .start();

  @AfterEach
  void stop() {
    gateway.close();
    upstream.close();
  }

  @Test
  void what_they_say_of_themselves_does_not_reach_the_upstream() {
    try (RawHttp client = gateway.connect()) {
      RawHttp.Reply reply =
          client.ask(
              "GET",
              "/",
              "X-App-Id: app-a",
              "X_App_Id: app-a",
              "X-User-Id: root",
              "X-Forwarded-For: 10.0.0.1",
              "X-Forwarded-Proto: https",
              "X-Forwarded-Host: other.example",
              "X-Forwarded-Port: 443",
              "Forwarded: for=10.0.0.1",
              "X-Real-IP: 10.0.0.1",
              "X-Request-Id: mine",
              "X-Quotatree-Caller: app-a");
      JsonObject seen = new JsonObject(reply.body()).getJsonObject("headers");
      assertThat(seen.fieldNames())
          .containsExactlyInAnyOrder(
              "host", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-request-id");
      assertThat(seen.getJsonArray("x-forwarded-for").getString(0)).isEqualTo("127.0.0.1");
      assertThat(seen.getJsonArray("x-forwarded-proto").getString(0)).isEqualTo("http");
      assertThat(seen.getJsonArray("x-forwarded-host").getString(0)).isEqualTo("shop.example");
      assertThat(seen.getJsonArray("x-request-id").getString(0)).matches("[0-9a-f]{32}");
    }
  }
}
