package io.quotatree.gateway;

import static io.quotatree.gateway.Trees.MINUTE;
import static io.quotatree.gateway.Trees.callers;
import static io.quotatree.gateway.Trees.exact;
import static io.quotatree.gateway.Trees.window;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.gateway.server.Guard;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The gateway on a ledger that has to be waited for, as one in a store that gateways share. */
final class LateDecisionsTest {

  private static final Quota FIVE = window(5, MINUTE).withConcurrency(3);

  private static final int MOST_CONNECTIONS = 4;

  private final TestUpstream upstream = TestUpstream.echo();

  @SuppressWarnings("NullAway.Init") // by the gateway's start
  private LateLedger ledger;

  private final RunningGateway gateway =
      RunningGateway.of(exact(QuotaTree.empty().withCaller(callers(FIVE))))
          .to(upstream.port())
          .deciding(100)
          .guard(new Guard.Bounds(null, Integer.MAX_VALUE, MOST_CONNECTIONS))
          .decidedBy(memory -> ledger = new LateLedger(memory))
          .start();

  @AfterEach
  void end() {
    ledger.letGo();
    gateway.close();
    ledger.close();
    upstream.close();
    LeakRecorder.assertNoLeak();
  }

  private RawHttp ask() {
    return gateway.connect().sendHead("GET", "/a", "X-App-Id: app-a");
  }

  private long usedPermits() {
    return gateway.limiter.peek(Layer.CALLER, "app-a").get(0).usedPermits();
  }

  private long inFlight() {
    return gateway.limiter.peek(Layer.CALLER, "app-a").get(1).usedPermits();
  }

  @Test
  void requests_are_allowed_and_refused_when_the_answer_is_there() {
    try (RawHttp client = gateway.connect()) {
      List<Integer> statuses =
          IntStream.range(0, 7)
              .mapToObj(i -> client.ask("GET", "/a", "X-App-Id: app-a").status())
              .toList();
      assertThat(statuses).containsExactly(200, 200, 200, 200, 200, 429, 429);
    }
    gateway.awaitQuiet();
    assertThat(inFlight()).isZero();
  }

  @Test
  void a_body_that_came_meanwhile_reaches_the_upstream() {
    ledger.holdBack();
    try (RawHttp client = gateway.connect()) {
      client.sendHead("POST", "/a", "X-App-Id: app-a", "Content-Length: 5").send("hello");
      Eventually.holds("asked", () -> ledger.waiting() == 1);
      ledger.letGo();
      RawHttp.Reply reply = client.reply();
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).contains("hello");
    }
  }

  @Test
  void a_client_that_leaves_while_the_store_is_asked_keeps_nothing() {
    ledger.holdBack();
    List<RawHttp> all = IntStream.range(0, MOST_CONNECTIONS).mapToObj(i -> ask()).toList();
    Eventually.holds("asked", () -> ledger.waiting() == MOST_CONNECTIONS);
    assertThat(usedPermits()).isEqualTo(3);
    assertThat(inFlight()).isEqualTo(3);
    all.forEach(RawHttp::vanish);
    // As many others find room, so the gateway has heard that all of these are gone.
    List<RawHttp> others = new ArrayList<>();
    Eventually.holds(
        "others have room",
        () -> {
          RawHttp other = gateway.connect();
          if (other.stillTakes("GET /%2F HTTP/1.1\r\nHost: a\r\n\r\n") && !other.ended()) {
            others.add(other);
          } else {
            other.close();
          }
          return others.size() == MOST_CONNECTIONS;
        });
    others.forEach(RawHttp::close);
    ledger.letGo();
    Eventually.holds("nothing in flight", () -> inFlight() == 0);
    gateway.awaitQuiet();
    assertThat(usedPermits()).isZero();
  }

  @Test
  void the_event_loop_serves_others_while_decisions_are_waited_for() {
    ledger.holdBack();
    List<RawHttp> waiting = IntStream.range(0, 3).mapToObj(i -> ask()).toList();
    Eventually.holds("all asked", () -> ledger.waiting() == 3);
    try (RawHttp other = gateway.connect()) {
      assertThat(other.ask("GET", "/%2F", "X-App-Id: app-a").status()).isEqualTo(400);
    }
    ledger.letGo();
    waiting.forEach(client -> assertThat(client.reply().status()).isEqualTo(200));
    waiting.forEach(RawHttp::close);
  }

  @Test
  void decisions_of_one_call_come_in_order_and_none_is_lost() {
    JsonObject one = new JsonObject().put("caller", "app-a").put("method", "GET").put("path", "/a");
    JsonArray asked = new JsonArray();
    IntStream.range(0, 5).forEach(i -> asked.add(one.copy().put("cost", i + 1)));
    JsonArray answers = DecisionClient.of(gateway).decide(asked);
    // 1 + 2 of 5 fit, 3 does not any more, nor do the others.
    assertThat(answers.stream().map(a -> ((JsonObject) a).getBoolean("allowed")))
        .containsExactly(true, true, false, false, false);
    assertThat(usedPermits()).isEqualTo(3);
  }

  @Test
  void a_caller_of_the_decision_api_that_leaves_keeps_nothing() {
    ledger.holdBack();
    RawHttp client = RawHttp.connect(gateway.adminPort());
    String body = "{\"caller\":\"app-a\",\"method\":\"GET\",\"path\":\"/a\"}";
    client.send(
        "POST /v1/decide HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            + "Content-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
    Eventually.holds("asked", () -> ledger.waiting() == 1);
    client.vanish();
    Eventually.standsStill("what the admin address hears", ledger::waiting);
    ledger.letGo();
    Eventually.holds("nothing in flight", () -> inFlight() == 0);
    assertThat(usedPermits()).isZero();
    assertThat(gateway.tickets.live()).isZero();
  }
}
