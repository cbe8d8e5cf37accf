package io.quotatree.gateway;

import static io.quotatree.gateway.Trees.MINUTE;
import static io.quotatree.gateway.Trees.as;
import static io.quotatree.gateway.Trees.callers;
import static io.quotatree.gateway.Trees.window;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.UserLines;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Faults of other gateways in how clients leave and who they say they are, by number. */
final class ClientCasesTest {

  private final Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final TestUpstream upstream = TestUpstream.that(this::answer);

  private void answer(HttpServerRequest request) {
    switch (String.valueOf(request.path())) {
      case "/events" -> {
        request.response().putHeader("Content-Type", "text/event-stream").setChunked(true);
        request.response().write("data: 1\n\n");
      }
      case "/broken" -> {
        request.response().setChunked(true).write("half");
        request.connection().close();
      }
      case "/held" -> held.add(request);
      default -> request.response().end("fine");
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    upstream.close();
  }

  private RunningGateway start(RunningGateway.Setup setup) {
    RunningGateway gateway = setup.start();
    open.add(gateway);
    return gateway;
  }

  private RawHttp connect(RunningGateway gateway) {
    RawHttp client = gateway.connect();
    open.add(client);
    return client;
  }

  private static QuotaTree inFlight(int permits) {
    return QuotaTree.empty()
        .withCaller(callers(Quota.of(Allowance.UNLIMITED).withConcurrency(permits)));
  }

  private static QuotaTree fiveByAddress() {
    return QuotaTree.empty()
        .withUser(
            new UserLines(
                null,
                null,
                Map.of(),
                new UserLines.Anonymous(Set.of("", "0"), window(5, MINUTE), UserLines.By.IP)));
  }

  @Test
  void b36_a_client_that_hangs_up_during_a_stream_gives_its_permit_back() {
    RunningGateway gateway = start(RunningGateway.of(inFlight(1)).to(upstream.port()));
    for (int i = 0; i < 100; i++) {
      for (String path : List.of("/events", "/broken", "/held")) {
        RawHttp client = gateway.connect().sendHead("GET", path);
        if (path.equals("/held")) {
          Eventually.holds("one at the upstream", () -> !held.isEmpty());
          held.clear();
        } else {
          assertThat(client.head().status()).isEqualTo(200);
        }
        client.vanish();
        Eventually.holds(
            "the permit is back", () -> used(gateway) == 0 && gateway.underWay.requests() == 0);
      }
    }
    assertThat(connect(gateway).ask("GET", "/").status()).isEqualTo(200);
    gateway.awaitQuiet();
    assertThat(gateway.page.scrape()).contains("quotatree_in_flight 0.0");
  }

  private static long used(RunningGateway gateway) {
    return gateway.limiter.peek(Layer.CALLER, "anonymous").stream()
        .mapToLong(limit -> limit.limitPermits() - limit.remainingPermits())
        .sum();
  }

  @Test
  void b37_requests_that_end_twice_give_one_permit_back() {
    RunningGateway gateway =
        start(RunningGateway.of(inFlight(2)).to(Duration.ofMillis(50), upstream.port()));
    for (int i = 0; i < 100; i++) {
      try (RawHttp client = gateway.connect()) {
        client.sendHead("GET", i % 2 == 0 ? "/broken" : "/held");
        assertThat(client.head().status()).isIn(200, 504);
        // The answer that comes too late ends the request a second time.
        held.forEach(late -> late.response().end("late"));
        held.clear();
      }
      gateway.awaitQuiet();
    }
    // From here on with all the time it takes.
    gateway.reload(inFlight(2), RunningGateway.of(inFlight(2)).to(upstream.port()));
    List<RawHttp> clients = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      clients.add(connect(gateway).sendHead("GET", "/held"));
    }
    Eventually.holds("two at the upstream", () -> held.size() == 2);
    Eventually.holds("two refused", () -> refused(gateway).equals("2.0"));
    held.forEach(request -> request.response().end("done"));
    assertThat(clients.stream().map(client -> client.reply().status()))
        .containsExactlyInAnyOrder(200, 200, 429, 429);
  }

  private static String refused(RunningGateway gateway) {
    return gateway
        .page
        .scrape()
        .lines()
        .filter(
            line ->
                line.startsWith("quotatree_decisions_total{layer=\"caller\",outcome=\"refused\"}"))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .findFirst()
        .orElse("none");
  }

  @Test
  void b43_whoever_writes_x_forwarded_for_gains_nothing_unless_it_is_a_proxy_of_ours() {
    RunningGateway strangers =
        start(
            RunningGateway.of(fiveByAddress())
                .identity(RunningGateway.UNTRUSTED)
                .to(upstream.port()));
    RawHttp stranger = connect(strangers);
    int allowed = 0;
    for (int i = 0; i < 20; i++) {
      allowed +=
          stranger.ask("GET", "/", "X-Forwarded-For: 203.0.113." + i).status() == 200 ? 1 : 0;
    }
    assertThat(allowed).isEqualTo(5);
    assertThat(stranger.ask("GET", "/").field("x-ratelimit-key"))
        .isEqualTo("user:anonymous/ip:127.0.0.1");
    RunningGateway ours = start(RunningGateway.of(fiveByAddress()).to(upstream.port()));
    assertThat(
            connect(ours)
                .ask("GET", "/", "X-Forwarded-For: 198.51.100.9, 203.0.113.7")
                .field("x-ratelimit-key"))
        .isEqualTo("user:anonymous/ip:203.0.113.7");
  }

  @Test
  void b45_a_network_of_ipv6_is_one_address_and_ipv4_in_its_clothing_is_ipv4() {
    RunningGateway gateway = start(RunningGateway.of(fiveByAddress()).to(upstream.port()));
    RawHttp client = connect(gateway);
    int allowed = 0;
    for (int i = 0; i < 100; i++) {
      allowed += from(client, "2001:db8:1:2::" + Integer.toHexString(i)) == 200 ? 1 : 0;
    }
    assertThat(allowed).isEqualTo(5);
    assertThat(from(client, "2001:DB8:1:2:0:0:0:1")).isEqualTo(429);
    assertThat(from(client, "2001:db8:1:3::1")).isEqualTo(200);
    for (int i = 0; i < 5; i++) {
      String[] spellings = {"::ffff:192.0.2.1", "::ffff:c000:201", "192.0.2.1"};
      assertThat(from(client, spellings[i % 3])).isEqualTo(200);
    }
    assertThat(from(client, "::ffff:192.0.2.1")).isEqualTo(429);
    assertThat(from(client, "::ffff:192.0.2.2")).isEqualTo(200);
    assertThat(from(client, "fe80::1%eth0")).isEqualTo(200);
  }

  private static int from(RawHttp client, String address) {
    return client.ask("GET", "/", "X-Forwarded-For: " + address).status();
  }

  @Test
  void b48_a_tenant_that_a_stranger_names_is_nobodys() {
    QuotaTree tree = QuotaTree.empty().withCaller(callers(window(120, MINUTE)));
    RunningGateway strangers =
        start(RunningGateway.of(tree).identity(RunningGateway.UNTRUSTED).to(upstream.port()));
    int allowed = 0;
    RawHttp client = connect(strangers);
    for (int i = 0; i < 150; i++) {
      allowed += client.ask("GET", "/", as("tenant-" + i, "u")).status() == 200 ? 1 : 0;
    }
    assertThat(allowed).isEqualTo(120);
    assertThat(strangers.ledger.subjects()).as("counters").isEqualTo(1);
    assertThat(strangers.limiter.peek(Layer.CALLER, "tenant-7"))
        .allSatisfy(limit -> assertThat(limit.remainingPermits()).isEqualTo(120));
  }
}
