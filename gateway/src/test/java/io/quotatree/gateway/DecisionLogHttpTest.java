package io.quotatree.gateway;

import static io.quotatree.gateway.Trees.MINUTE;
import static io.quotatree.gateway.Trees.as;
import static io.quotatree.gateway.Trees.bucket;
import static io.quotatree.gateway.Trees.callers;
import static io.quotatree.gateway.Trees.exact;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.observe.log.LogSettings;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The decision log of a gateway: what a line says of the answer. */
final class DecisionLogHttpTest {

  @TempDir private Path folder;

  private final Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
  private final TestUpstream upstream =
      TestUpstream.that(
          request -> {
            if ("/held".equals(request.path())) {
              held.add(request);
            } else {
              request.response().setStatusCode(404).end("none");
            }
          });

  @AfterEach
  void stop() {
    upstream.close();
  }

  private RunningGateway gateway(QuotaTree tree, int allowedPerMillion) throws IOException {
    RunningGateway gateway = RunningGateway.of(exact(tree)).to(upstream.port()).start();
    gateway.decisions.use(
        Optional.of(
            new LogSettings(
                Optional.of(folder.resolve("d.jsonl")),
                allowedPerMillion,
                LogSettings.Users.NAMED)));
    return gateway;
  }

  private List<JsonObject> lines(RunningGateway gateway) throws IOException {
    gateway.close();
    return Files.readAllLines(folder.resolve("d.jsonl")).stream().map(JsonObject::new).toList();
  }

  @Test
  void each_refusal_is_one_line_with_the_status_and_the_id_that_the_client_got()
      throws IOException {
    RunningGateway gateway = gateway(QuotaTree.empty().withCaller(callers(bucket(2, MINUTE))), 0);
    try (RawHttp client = gateway.connect()) {
      for (int i = 0; i < 5; i++) {
        client.ask("GET", "/a/%E4%BD%A0?secret=1", as("app-a", "u1"));
      }
    }
    List<JsonObject> lines = lines(gateway);
    assertThat(lines).hasSize(3);
    JsonObject line = lines.get(0);
    assertThat(line.getString("ts")).isEqualTo("2026-01-01T00:00:00.000Z");
    assertThat(line.getInteger("status")).isEqualTo(429);
    assertThat(line.getString("caller_id")).isEqualTo("app-a");
    assertThat(line.getString("user_id")).isEqualTo("u1");
    assertThat(line.getString("api_path")).startsWith("GET /a/").doesNotContain("secret");
    assertThat(line.getLong("retry_after_ms")).isEqualTo(30_000);
    assertThat(line.getString("request_id")).matches("[0-9a-f]{32}");
  }

  @Test
  void an_allowed_line_has_the_status_of_the_upstreams_answer() throws IOException {
    RunningGateway gateway = gateway(QuotaTree.empty(), 1_000_000);
    try (RawHttp client = gateway.connect()) {
      assertThat(client.ask("GET", "/x", as("a", "u")).status()).isEqualTo(404);
    }
    List<JsonObject> lines = lines(gateway);
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0).getString("outcome")).isEqualTo("allowed");
    assertThat(lines.get(0).getInteger("status")).isEqualTo(404);
  }

  @Test
  void a_client_that_left_is_told_as_499_and_a_dead_upstream_as_502() throws IOException {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty()
                .withCaller(callers(bucket(1, MINUTE).withEnforcement(Enforcement.SHADOW))),
            0);
    RawHttp leaving = gateway.connect();
    try (RawHttp client = gateway.connect()) {
      client.ask("GET", "/x", as("a", "u"));
      leaving.sendHead("GET", "/held", as("a", "u"));
      Eventually.holds("held", () -> held.size() == 1);
      leaving.vanish();
      gateway.awaitQuiet();
      upstream.close();
      assertThat(client.ask("GET", "/x", as("a", "u")).status()).isEqualTo(502);
    }
    assertThat(lines(gateway))
        .extracting(line -> line.getString("outcome") + " " + line.getInteger("status"))
        .containsExactly("would_refuse 499", "would_refuse 502");
  }

  @Test
  void what_ends_before_the_decision_has_no_line() throws IOException {
    RunningGateway gateway = gateway(QuotaTree.empty(), 1_000_000);
    try (RawHttp client = gateway.connect()) {
      assertThat(client.ask("GET", "/a%2Fb", as("a", "u")).status()).isEqualTo(400);
    }
    assertThat(lines(gateway)).isEmpty();
  }

  @Test
  void the_time_of_an_api_ends_with_its_answer() {
    RunningGateway gateway = RunningGateway.of(QuotaTree.empty()).to(upstream.port()).start();
    try (RawHttp client = gateway.connect()) {
      client.sendHead("GET", "/held", as("a", "u"));
      Eventually.holds("held", () -> held.size() == 1);
      gateway.ticker.advance(Duration.ofSeconds(2));
      held.remove().response().end("at last");
      client.reply();
      gateway.awaitQuiet();
    }
    assertThat(gateway.page.scrape())
        .contains("quotatree_api_seconds_count{api=\"other\"} 1")
        .contains("quotatree_api_seconds_sum{api=\"other\"} 2.0");
    gateway.close();
  }
}
