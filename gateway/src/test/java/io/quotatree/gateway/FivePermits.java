package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.QuotaTree;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A gateway with five permits in flight, and how to see that each of them is back. What a test
 * opens is closed with it.
 */
final class FivePermits implements AutoCloseable {

  static final int IN_FLIGHT = 5;

  /** How often each ending happens. */
  static final int TIMES = 100;

  static final QuotaTree FIVE =
      QuotaTree.empty()
          .withNode(
              new NodeLines(
                  Quota.of(Allowance.UNLIMITED).withConcurrency(IN_FLIGHT), null, List.of()));

  final Opened open = new Opened();

  /** Requests that an upstream holds. */
  final Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();

  /** An upstream that answers /held when the test says so, and all else by its path at once. */
  TestUpstream upstream() {
    return open.add(TestUpstream.that(this::answer));
  }

  private void answer(HttpServerRequest request) {
    switch (String.valueOf(request.path())) {
      case "/held" -> held.add(request);
      case "/left" -> {
        // Never answered: its client has left.
      }
      case "/chunked" -> {
        request.response().setChunked(true).write("a");
        request.response().end("b");
      }
      case "/204" -> request.response().setStatusCode(204).end();
      case "/304" -> request.response().setStatusCode(304).end();
      case "/early" -> request.response().setStatusCode(413).end("too much");
      case "/endless" -> {
        request.response().setChunked(true).write("x".repeat(10_000));
        held.add(request);
      }
      default -> request.response().end("fine");
    }
  }

  /**
   * Five are admitted at once and the sixth is not: nothing leaked, and nothing came back twice.
   */
  void assertFiveFit(RunningGateway gateway) {
    gateway.awaitQuiet();
    held.clear();
    List<RawHttp> clients = new ArrayList<>();
    for (int i = 0; i < IN_FLIGHT; i++) {
      RawHttp client = open.add(gateway.connect());
      client.sendHead("GET", "/held");
      clients.add(client);
    }
    Eventually.holds("five at the upstream", () -> held.size() == IN_FLIGHT);
    RawHttp sixth = open.add(gateway.connect());
    assertThat(sixth.ask("GET", "/").status()).isEqualTo(429);
    held.forEach(request -> request.response().end("at last"));
    clients.forEach(client -> assertThat(client.reply().body()).isEqualTo("at last"));
    assertThat(sixth.ask("GET", "/").status()).isEqualTo(200);
  }

  RunningGateway gateway(int... ports) {
    return open.add(RunningGateway.of(FIVE).to(ports).start());
  }

  @Override
  public void close() throws Exception {
    open.close();
  }
}
