package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.QuotaTree;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * G4 at large: requests that end in every way there is leave no permit in flight and no buffer
 * behind. Each build sends some; {@code -Dstorm.requests=100000} sends as many as the guarantee
 * names, and {@code -Dstorm.seed} repeats what a run printed.
 */
final class StormTest {

  private static final int REQUESTS = Integer.getInteger("storm.requests", 10_000);
  private static final int CLIENTS = 100;
  private static final int IN_FLIGHT = 90;

  private final Vertx vertx = Vertx.vertx();
  private final RawUpstream dead = new RawUpstream(connection -> {});

  @SuppressWarnings("NullAway.Init") // by start, in each test
  private RunningGateway gateway;

  @AfterAll
  static void noBufferWasLost() {
    LeakRecorder.assertNoLeak();
  }

  @AfterEach
  void stop() {
    gateway.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private void start() {
    dead.close();
    QuotaTree tree =
        QuotaTree.empty()
            .withCaller(Trees.callers(Quota.of(Allowance.UNLIMITED).withConcurrency(IN_FLIGHT)));
    gateway =
        RunningGateway.of(tree)
            .to(
                Duration.ofSeconds(2),
                new StormUpstream(vertx).port(),
                new StormUpstream(vertx).port(),
                dead.port())
            .start();
  }

  private void assertNothingInFlight() {
    gateway.awaitQuiet();
    assertThat(gateway.limiter.peek(Layer.CALLER, "anonymous"))
        .singleElement()
        .satisfies(limit -> assertThat(limit.remainingPermits()).isEqualTo(IN_FLIGHT));
  }

  @Test
  void requests_with_random_ends_leave_nothing_behind() throws Exception {
    start();
    long seed = Long.getLong("storm.seed", System.nanoTime());
    System.out.println("storm.seed=" + seed);
    StormClient clients = new StormClient(vertx, gateway.port(), REQUESTS);
    clients.run(CLIENTS, seed).toCompletionStage().toCompletableFuture().get(30, TimeUnit.MINUTES);
    assertNothingInFlight();
    assertThat(clients.surprises).as("seed " + seed).isEmpty();
    assertThat(clients.whole.get()).isGreaterThan(REQUESTS / 4);
  }

  @Test
  void a_drain_in_the_middle_of_it_leaves_nothing_behind_either() throws Exception {
    start();
    List<RawHttp> silent = new ArrayList<>();
    for (String path : List.of("/silent", "/endless", "/chat")) {
      for (int i = 0; i < 10; i++) {
        silent.add(
            gateway.connect().sendHead("GET", path, "Connection: Upgrade", "Upgrade: websocket"));
      }
    }
    Eventually.holds("all under way", () -> gateway.underWay.requests() == silent.size());
    assertThat(gateway.gateway.drain(Duration.ofMillis(50))).isBetween(10L, 30L);
    assertNothingInFlight();
    silent.forEach(RawHttp::close);
  }
}
