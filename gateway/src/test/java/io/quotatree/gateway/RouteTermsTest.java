package io.quotatree.gateway;

import static io.quotatree.gateway.Trees.MINUTE;
import static io.quotatree.gateway.Trees.apis;
import static io.quotatree.gateway.Trees.as;
import static io.quotatree.gateway.Trees.bucket;
import static io.quotatree.gateway.Trees.callers;
import static io.quotatree.gateway.Trees.exact;
import static io.quotatree.gateway.Trees.users;
import static io.quotatree.gateway.Trees.window;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.QuotaTree;
import io.quotatree.gateway.proxy.Requirements;
import io.quotatree.gateway.proxy.Route;
import io.quotatree.http.Cors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a route wants of requests, what it gives back, and who may read its answers. */
final class RouteTermsTest {

  private static final String PAGE = "Origin: https://app.example";
  private static final String FOREIGN = "Origin: https://evil.example";

  private final List<AutoCloseable> open = new ArrayList<>();
  private final TestUpstream upstream =
      TestUpstream.that(
          request -> {
            String status = request.getHeader("X-Wanted-Status");
            String allowed = request.getHeader("X-Wanted-Origin");
            if (allowed != null) {
              request
                  .response()
                  .putHeader("Access-Control-Allow-Origin", allowed)
                  .putHeader("Access-Control-Allow-Credentials", "true")
                  .putHeader("Access-Control-Expose-Headers", "X-Own")
                  .putHeader("Vary", "Accept");
            }
            request.response().setStatusCode(status == null ? 200 : Integer.parseInt(status)).end();
          });

  @AfterEach
  void stop() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    upstream.close();
  }

  private RunningGateway gateway(QuotaTree tree, UnaryOperator<Route> terms) {
    RunningGateway gateway =
        RunningGateway.of(exact(tree)).to(upstream.port()).routed(terms).start();
    open.add(gateway);
    return gateway;
  }

  private RawHttp connect(RunningGateway gateway) {
    RawHttp client = gateway.connect();
    open.add(client);
    return client;
  }

  private static UnaryOperator<Route> requiring(Requirements requirements) {
    return route -> new Route(route.upstream(), requirements, Set.of(), null);
  }

  private static UnaryOperator<Route> refunding(Integer... statuses) {
    return route -> new Route(route.upstream(), Requirements.NONE, Set.of(statuses), null);
  }

  private static UnaryOperator<Route> readableBy(String... origins) {
    return route ->
        new Route(route.upstream(), Requirements.NONE, Set.of(), new Cors(Set.of(origins)));
  }

  @Test
  void a_request_that_lacks_what_its_route_requires_is_told_all_of_it_and_charges_nothing() {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty().withCaller(callers(window(1, MINUTE))),
            requiring(
                new Requirements(
                    List.of("Content-Type", "X-Trace"),
                    Map.of("type", List.of("enabled", "disabled", "auto")))));
    RawHttp client = connect(gateway);
    RawHttp.Reply nothing = client.ask("GET", "/");
    assertThat(nothing.status()).isEqualTo(400);
    assertThat(nothing.body())
        .contains("the header Content-Type is missing; send it")
        .contains("the header X-Trace is missing")
        .contains("the query parameter type is missing; send one of enabled, disabled, auto");
    String[] whole = {"Content-Type: text/plain", "x-trace: 1"};
    for (String query :
        List.of("?type=", "?type", "?type=other", "?type=auto&type=other", "?%74ype=other")) {
      assertThat(client.ask("GET", "/" + query, whole).status()).as(query).isEqualTo(400);
    }
    assertThat(client.ask("GET", "/?type=%", whole).status()).isEqualTo(400);
    assertThat(client.ask("GET", "/?type=auto", "X-Trace: 1", "Content-Type: ").status())
        .isEqualTo(400);
    assertThat(upstream.requests).hasValue(0);
    assertThat(client.ask("GET", "/?a=b&ty%70e=auto", whole).status()).isEqualTo(200);
    assertThat(client.ask("GET", "/?type=auto", whole).status()).isEqualTo(429);
  }

  @Test
  void a_status_that_refunds_gives_back_all_but_the_nodes_permits_once() {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty()
                .withNode(Trees.node(window(10, MINUTE)).node())
                .withCaller(callers(window(3, MINUTE)))
                .withUser(users(bucket(3, MINUTE)))
                .withApi(apis(Map.of("/pay", window(3, MINUTE)))),
            refunding(400, 422));
    RawHttp client = connect(gateway);
    for (int i = 0; i < 3; i++) {
      assertThat(ask(client, "422")).isEqualTo(422);
      assertThat(ask(client, "400")).isEqualTo(400);
    }
    assertThat(ask(client, "200")).isEqualTo(200);
    assertThat(ask(client, "404")).as("charges").isEqualTo(404);
    assertThat(ask(client, "500")).as("charges").isEqualTo(500);
    RawHttp.Reply refused = client.ask("GET", "/pay", as("app-a", "u1"));
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.field("x-ratelimit-scope")).isEqualTo("caller");
    assertThat(client.ask("GET", "/other", as("app-b", "u1")).status()).isEqualTo(200);
    assertThat(client.ask("GET", "/other", as("app-c", "u1")).field("x-ratelimit-scope"))
        .as("nine were charged to the node, and this is the tenth at most")
        .isEqualTo("node");
  }

  private static int ask(RawHttp client, String status) {
    String[] who = as("app-a", "u1");
    return client.ask("GET", "/pay", who[0], who[1], "X-Wanted-Status: " + status).status();
  }

  @Test
  void B53_preflights_are_free_and_a_refusal_can_be_read_by_the_page() {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty().withCaller(callers(window(4, MINUTE))),
            readableBy("https://app.example"));
    RawHttp client = connect(gateway);
    for (int i = 0; i < 5; i++) {
      RawHttp.Reply preflight =
          client.ask(
              "OPTIONS",
              "/x",
              PAGE,
              "Access-Control-Request-Method: PUT",
              "Access-Control-Request-Headers: content-type,x-own");
      assertThat(preflight.status()).isEqualTo(204);
      assertThat(preflight.field("access-control-allow-origin")).isEqualTo("https://app.example");
      assertThat(preflight.field("access-control-allow-methods")).isEqualTo("PUT");
      assertThat(preflight.field("access-control-allow-headers")).isEqualTo("content-type,x-own");
      assertThat(preflight.field("vary")).contains("Origin");
      RawHttp.Reply reply = client.ask("GET", "/x", PAGE);
      assertThat(reply.status()).isEqualTo(i < 4 ? 200 : 429);
      assertThat(reply.field("access-control-allow-origin")).isEqualTo("https://app.example");
      assertThat(reply.field("access-control-allow-credentials")).isEqualTo("true");
      assertThat(reply.field("access-control-expose-headers"))
          .contains("Retry-After", "RateLimit", "X-RateLimit-Remaining");
      assertThat(reply.field("vary")).contains("Origin");
      assertThat(reply.has("retry-after")).isEqualTo(i == 4);
    }
    assertThat(upstream.requests).as("no preflight went upstream").hasValue(4);
  }

  @Test
  void B53_a_plain_OPTIONS_counts_like_any_method() {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty().withCaller(callers(window(4, MINUTE))),
            readableBy("https://app.example"));
    RawHttp client = connect(gateway);
    for (String[] lines :
        List.of(
            new String[] {},
            new String[] {PAGE},
            new String[] {"Access-Control-Request-Method: PUT"},
            new String[] {PAGE, "Access-Control-Request-Method: PUT", "Content-Length: 1"})) {
      client.sendHead("OPTIONS", "/x", lines);
      if (lines.length == 3) {
        client.send("a");
      }
      assertThat(client.reply().status()).isEqualTo(200);
    }
    assertThat(client.ask("OPTIONS", "/x").status()).isEqualTo(429);
    assertThat(client.ask("GET", "/x").status()).isEqualTo(429);
  }

  @Test
  void B53_without_cors_a_preflight_goes_upstream_and_is_free() {
    RunningGateway gateway =
        gateway(QuotaTree.empty().withCaller(callers(window(1, MINUTE))), UnaryOperator.identity());
    RawHttp client = connect(gateway);
    for (int i = 0; i < 5; i++) {
      RawHttp.Reply reply =
          client.ask(
              "OPTIONS",
              "/x",
              PAGE,
              "Access-Control-Request-Method: PUT",
              "X-Wanted-Status: 202",
              "X-Wanted-Origin: *");
      assertThat(reply.status()).isEqualTo(202);
      assertThat(reply.field("access-control-allow-origin")).isEqualTo("*");
      assertThat(reply.has("x-ratelimit-limit")).isFalse();
    }
    assertThat(upstream.requests).hasValue(5);
    assertThat(client.ask("GET", "/x").status()).isEqualTo(200);
    assertThat(client.ask("GET", "/x").has("access-control-allow-origin")).isFalse();
  }

  @Test
  void pages_of_other_origins_are_not_let_in() {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty().withCaller(callers(window(1, MINUTE))),
            readableBy("https://app.example"));
    RawHttp client = connect(gateway);
    RawHttp.Reply preflight =
        client.ask("OPTIONS", "/x", FOREIGN, "Access-Control-Request-Method: PUT");
    assertThat(preflight.status()).isEqualTo(204);
    assertThat(preflight.has("access-control-allow-origin")).isFalse();
    assertThat(client.ask("GET", "/x", FOREIGN).has("access-control-allow-origin")).isFalse();
    RawHttp.Reply refused = client.ask("GET", "/x", FOREIGN);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.has("access-control-allow-origin")).isFalse();
    assertThat(refused.field("vary")).isEqualTo("Origin");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "https://app.example", "https://elsewhere.example"})
  void the_route_speaks_for_the_upstream_so_that_the_page_reads_one_word(String upstreams) {
    RunningGateway gateway = gateway(QuotaTree.empty(), readableBy("https://app.example"));
    RawHttp.Reply reply = connect(gateway).ask("GET", "/x", PAGE, "X-Wanted-Origin: " + upstreams);
    assertThat(reply.fields().get("access-control-allow-origin"))
        .containsExactly("https://app.example");
    assertThat(reply.fields().get("access-control-allow-credentials")).containsExactly("true");
    assertThat(reply.field("access-control-expose-headers")).contains("X-Own, ", "Retry-After");
    assertThat(reply.field("vary")).contains("Accept", "Origin");
  }

  @Test
  void any_page_may_read_where_the_route_says_so_but_without_cookies() {
    RunningGateway gateway = gateway(QuotaTree.empty(), readableBy("*"));
    RawHttp.Reply reply =
        connect(gateway).ask("GET", "/x", FOREIGN, "X-Wanted-Origin: https://evil.example");
    assertThat(reply.fields().get("access-control-allow-origin")).containsExactly("*");
    assertThat(reply.has("access-control-allow-credentials")).isFalse();
  }

  @Test
  void a_page_can_read_problems_too() throws Exception {
    RunningGateway gateway =
        gateway(
            QuotaTree.empty(),
            route ->
                new Route(
                    route.upstream(),
                    new Requirements(List.of("X-Trace"), Map.of()),
                    Set.of(),
                    new Cors(Set.of("https://app.example"))));
    RawHttp client = connect(gateway);
    RawHttp.Reply lacking = client.ask("GET", "/x", PAGE);
    assertThat(lacking.status()).isEqualTo(400);
    assertThat(lacking.field("access-control-allow-origin")).isEqualTo("https://app.example");
    upstream.close();
    RawHttp.Reply gone = client.ask("GET", "/x", PAGE, "X-Trace: 1");
    assertThat(gone.status()).isEqualTo(502);
    assertThat(gone.field("access-control-allow-origin")).isEqualTo("https://app.example");
  }
}
