package io.quotatree.gateway;

import static io.quotatree.gateway.Trees.HOUR;
import static io.quotatree.gateway.Trees.MINUTE;
import static io.quotatree.gateway.Trees.SECOND;
import static io.quotatree.gateway.Trees.alignedWindow;
import static io.quotatree.gateway.Trees.apis;
import static io.quotatree.gateway.Trees.as;
import static io.quotatree.gateway.Trees.bucket;
import static io.quotatree.gateway.Trees.callers;
import static io.quotatree.gateway.Trees.exact;
import static io.quotatree.gateway.Trees.rate;
import static io.quotatree.gateway.Trees.window;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.QuotaTree;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults that other gateways had, each under its number. */
final class CasesTest {

  private final Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
  private final TestUpstream upstream = TestUpstream.that(this::answer);
  private final Opened open = new Opened();

  private void answer(HttpServerRequest request) {
    if ("/held".equals(request.path())) {
      held.add(request);
    } else {
      request
          .response()
          .putHeader("X-RateLimit-Limit", "the upstream's own")
          .putHeader("RateLimit", "\"theirs\";r=1")
          .end(new JsonObject().put("uri", request.uri()).encode());
    }
  }

  private RunningGateway gateway(QuotaTree tree) {
    return open.add(RunningGateway.of(exact(tree)).to(upstream.port()).start());
  }

  private RawHttp connect(RunningGateway gateway) {
    return open.add(gateway.connect());
  }

  @AfterEach
  void stop() throws Exception {
    open.close();
    upstream.close();
  }

  @Test
  void B50_no_spelling_of_a_path_escapes_its_quota() {
    RunningGateway gateway =
        gateway(QuotaTree.empty().withApi(apis(Map.of("/login", window(5, MINUTE)))));
    RawHttp client = connect(gateway);
    Map<String, String> forwarded =
        Map.of(
            "/login/", "/login/",
            "//login", "/login",
            "/./login", "/login",
            "/x/../login", "/login",
            "/%6Cogin", "/%6Cogin");
    forwarded.forEach(
        (sent, forward) -> {
          RawHttp.Reply reply = client.ask("GET", sent);
          assertThat(reply.status()).as(sent).isEqualTo(200);
          assertThat(new JsonObject(reply.body()).getString("uri")).isEqualTo(forward);
        });
    for (String spelling :
        List.of(
            "/login",
            "/login/",
            "//login",
            "/./login",
            "/x/../login",
            "/%6Cogin",
            "/login?x=1",
            "/login;v=1",
            "///login//",
            "http://shop.example/login",
            "HTTP://SHOP.EXAMPLE//login")) {
      RawHttp.Reply reply = client.ask("GET", spelling);
      assertThat(reply.status()).as(spelling).isEqualTo(429);
      assertThat(reply.field("x-ratelimit-key")).isEqualTo("api:/login");
    }
    for (String odd :
        List.of("/login#a", "/%2e/login%00", "/x/%2e%2e/login", "/login%", "\\login")) {
      assertThat(client.ask("GET", odd).status()).as(odd).isEqualTo(400);
    }
    assertThat(client.ask("GET", "/LOGIN").status()).as("case counts").isEqualTo(200);
  }

  @Test
  void B52_a_rule_with_a_wildcard_is_one_counter() {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty()
                .withApi(
                    new ApiLines(
                        ApiRule.NONE,
                        List.of(
                            new ApiLines.ApiLine(
                                "/users/{id}/lock",
                                new ApiRule(
                                    null,
                                    window(3, MINUTE),
                                    null,
                                    1,
                                    ApiRule.Rank.USUAL,
                                    ApiRule.Effect.BY_METHOD))),
                        List.of())));
    RawHttp client = connect(gateway);
    int allowed = 0;
    for (int id = 1; id <= 10; id++) {
      allowed +=
          client.ask("POST", "/users/" + id + "/lock", as("app-a", "u1")).status() == 200 ? 1 : 0;
    }
    assertThat(allowed).isEqualTo(3);
    assertThat(gateway.ledger.subjects()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"1, 1500000, 2", "1, 400000, 1", "5, 2000, 1", "1, 59999000, 60"})
  void B57_a_wait_is_told_in_whole_seconds_rounded_up_and_never_zero(
      long permits, long periodMicros, long seconds) {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty()
                .withCaller(
                    callers(
                        Quota.of(
                            RateLimit.of(
                                AlgorithmName.TOKEN_BUCKET,
                                rate(permits, Duration.ofNanos(periodMicros * 1000)),
                                1)))));
    RawHttp client = connect(gateway);
    assertThat(client.ask("GET", "/").status()).isEqualTo(200);
    RawHttp.Reply refused = client.ask("GET", "/");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.field("retry-after")).isEqualTo(Long.toString(seconds));
    gateway.ticker.advance(Duration.ofSeconds(seconds));
    assertThat(client.ask("GET", "/").status()).isEqualTo(200);
  }

  static Stream<Arguments> everyAlgorithm() {
    return Stream.of(AlgorithmName.values())
        .flatMap(
            algorithm ->
                Stream.of(SECOND, Duration.ofSeconds(7), MINUTE)
                    .map(period -> Arguments.of(algorithm, period)));
  }

  @ParameterizedTest
  @MethodSource("everyAlgorithm")
  void B57_whoever_obeys_is_not_refused_again(AlgorithmName algorithm, Duration period) {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty()
                .withCaller(callers(Quota.of(RateLimit.of(algorithm, rate(3, period))))));
    RawHttp client = connect(gateway);
    for (int round = 0; round < 5; round++) {
      RawHttp.Reply reply = client.ask("GET", "/");
      // More than three: a window's edge may lie in between.
      for (int i = 0; i < 10 && reply.status() == 200; i++) {
        gateway.ticker.advance(Duration.ofMillis(37));
        reply = client.ask("GET", "/");
      }
      assertThat(reply.status()).isEqualTo(429);
      long seconds = Long.parseLong(reply.field("retry-after"));
      assertThat(seconds).isBetween(1L, period.toSeconds() + 1);
      gateway.ticker.advance(Duration.ofSeconds(seconds));
      assertThat(client.ask("GET", "/").status()).isEqualTo(200);
      gateway.ticker.advance(period.multipliedBy(2));
    }
  }

  @Test
  void B58_a_refusal_describes_the_limit_that_refused() {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty()
                .withCaller(
                    callers(Quota.of(alignedWindow(60, MINUTE), alignedWindow(100, HOUR)))));
    RawHttp client = connect(gateway);
    ask(client, 60);
    gateway.ticker.advance(MINUTE);
    ask(client, 37);
    gateway.ticker.advance(Duration.ofMinutes(9));
    ask(client, 3);
    assertHourRefuses(client.ask("GET", "/"), 3_000);
  }

  @Test
  void B58_of_two_that_refuse_the_one_with_the_longer_wait_is_told() {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty()
                .withCaller(
                    callers(Quota.of(alignedWindow(60, MINUTE), alignedWindow(100, HOUR)))));
    RawHttp client = connect(gateway);
    ask(client, 40);
    gateway.ticker.advance(Duration.ofSeconds(640));
    ask(client, 60);
    RawHttp.Reply refused = client.ask("GET", "/");
    assertHourRefuses(refused, 2_960);
    assertThat(refused.field("ratelimit")).contains("caller-1min").contains("caller-1h");
  }

  private static void ask(RawHttp client, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(client.ask("GET", "/").status()).isEqualTo(200);
    }
  }

  private static void assertHourRefuses(RawHttp.Reply refused, long seconds) {
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.field("x-ratelimit-limit")).isEqualTo("100");
    assertThat(refused.field("x-ratelimit-remaining")).isEqualTo("0");
    assertThat(refused.field("x-ratelimit-reset"))
        .isEqualTo(Long.toString(RunningGateway.START.getEpochSecond() + 3_600));
    assertThat(refused.field("retry-after")).isEqualTo(Long.toString(seconds));
    assertThat(refused.field("x-ratelimit-scope")).isEqualTo("caller");
    JsonObject body = new JsonObject(refused.body());
    assertThat(body.getLong("retry_after")).isEqualTo(seconds);
    assertThat(body.getString("layer")).isEqualTo("caller");
  }

  @Test
  void B58_an_allowed_answer_tells_the_limit_nearest_to_refusal_and_not_the_upstreams_own() {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty()
                .withCaller(
                    callers(Quota.of(alignedWindow(60, MINUTE), alignedWindow(100, HOUR)))));
    RawHttp client = connect(gateway);
    RawHttp.Reply allowed = client.ask("GET", "/");
    assertThat(allowed.field("x-ratelimit-limit")).isEqualTo("60");
    assertThat(allowed.field("x-ratelimit-remaining")).isEqualTo("59");
    assertThat(allowed.field("ratelimit")).isEqualTo("\"caller-1min\";r=59;t=60");
  }

  @Test
  void B61_a_refusal_by_a_later_layer_spends_nothing_of_the_earlier() {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty()
                .withCaller(callers(bucket(10, MINUTE)))
                .withApi(apis(Map.of("/special", window(3, MINUTE)))));
    RawHttp client = connect(gateway);
    assertThat(allowed(client, "/special", 5)).isEqualTo(3);
    assertThat(allowed(client, "/other", 20)).isEqualTo(7);
  }

  @Test
  void B61_a_full_house_of_requests_in_flight_spends_nothing_either() {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty()
                .withCaller(callers(bucket(10, MINUTE)))
                .withApi(apis(Map.of("/held", Quota.of(Allowance.UNLIMITED).withConcurrency(1)))));
    RawHttp holder = connect(gateway).sendHead("GET", "/held", as("app-a", "u1"));
    Eventually.holds("one held", () -> held.size() == 1);
    RawHttp client = connect(gateway);
    assertThat(allowed(client, "/held", 5)).isZero();
    assertThat(allowed(client, "/other", 20)).isEqualTo(9);
    held.remove().response().end("at last");
    assertThat(holder.reply().status()).isEqualTo(200);
  }

  private static int allowed(RawHttp client, String path, int times) {
    int allowed = 0;
    for (int i = 0; i < times; i++) {
      allowed += client.ask("GET", path, as("app-a", "u1")).status() == 200 ? 1 : 0;
    }
    return allowed;
  }

  @Test
  void B63_a_callers_quota_is_one_over_all_routes() {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty()
                .withCaller(callers(window(10, SECOND)))
                .withRoutes(List.of("/a/**", "/b/**", "/c/**")));
    RawHttp client = connect(gateway);
    int allowed =
        allowed(client, "/a/1", 10) + allowed(client, "/b/1", 10) + allowed(client, "/c/1", 10);
    assertThat(allowed).isEqualTo(10);
    assertThat(client.ask("GET", "/d").status()).as("no route takes it").isEqualTo(404);
  }

  @Test
  void B63_two_rules_that_look_the_same_count_apart() {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty()
                .withApi(apis(Map.of("/a", window(5, MINUTE), "/b", window(5, MINUTE)))));
    RawHttp client = connect(gateway);
    assertThat(allowed(client, "/a", 10)).isEqualTo(5);
    assertThat(allowed(client, "/b", 10)).isEqualTo(5);
  }

  @Test
  void B66_a_reload_of_something_else_refills_nothing() {
    QuotaTree tree = QuotaTree.empty().withCaller(callers(window(10, MINUTE)));
    RunningGateway gateway = gateway(tree);
    RawHttp client = connect(gateway);
    int allowed = 0;
    for (int tenth = 0; tenth < 600; tenth++) {
      if (tenth % 10 == 0) {
        gateway.reload(
            exact(tree.withApi(apis(Map.of("/another", window(100 + tenth, MINUTE))))),
            RunningGateway.of(tree).to(upstream.port()));
      }
      allowed += client.ask("GET", "/", as("app-a", "u1")).status() == 200 ? 1 : 0;
      gateway.ticker.advance(Duration.ofMillis(100));
    }
    assertThat(allowed).isEqualTo(10);
  }

  @Test
  void B66_a_permit_that_is_held_across_a_reload_comes_back_to_its_counter() {
    QuotaTree tree =
        QuotaTree.empty().withCaller(callers(Quota.of(Allowance.UNLIMITED).withConcurrency(1)));
    RunningGateway gateway = gateway(tree);
    RawHttp holder = connect(gateway).sendHead("GET", "/held", as("app-a", "u1"));
    Eventually.holds("one held", () -> held.size() == 1);
    gateway.reload(
        exact(tree.withApi(apis(Map.of("/another", window(5, MINUTE))))),
        RunningGateway.of(tree).to(upstream.port()));
    RawHttp client = connect(gateway);
    assertThat(allowed(client, "/", 1)).as("still held").isZero();
    held.remove().response().end("at last");
    assertThat(holder.reply().status()).isEqualTo(200);
    assertThat(allowed(client, "/", 1)).isEqualTo(1);
  }
}
