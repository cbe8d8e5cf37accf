package io.quotatree.redis;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.api;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.node;
import static io.quotatree.testkit.Trees.tree;
import static io.quotatree.testkit.Trees.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.memo.RememberingLedger;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.ManualTicker;
import io.quotatree.core.time.Ticker;
import io.quotatree.redis.fleet.Fleet;
import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A real cluster by its own clock, and what happens to it. */
final class ClusterTest extends ClusterGateways {

  @Test
  void what_a_split_decision_may_give_back_is_remembered_for_a_second_and_the_callers_own_longer() {
    ManualTicker ticker = new ManualTicker(Instant.parse("2026-01-01T00:00:00Z"));
    RememberingLedger memory = ledger.remembering(ticker);
    QuotaTree apis = tree(caller(fixedWindow("2/year")), api("GET /x", fixedWindow("1/year")));
    Limiter limiter = new Limiter(Policy.compile(apis, "gw"), memory, ticker);
    Request callers = Request.of("app", "u1", "GET", "/y");
    assertThat(allowed(limiter, REQUEST, 1)).isOne();
    look();
    assertThat(allowed(limiter, REQUEST, 3)).isZero();
    assertThat(memory.told()).isEqualTo(2);
    ticker.advance(Duration.ofMillis(900));
    assertThat(allowed(limiter, callers, 3)).isOne();
    assertThat(memory.told()).isEqualTo(3);
    look();
    ticker.advance(Duration.ofMillis(900));
    look();
    assertThat(allowed(limiter, REQUEST, 1)).isZero();
    assertThat(memory.told()).isEqualTo(3);
    ticker.advance(Duration.ofMillis(900));
    assertThat(allowed(limiter, callers, 1)).isZero();
    assertThat(memory.told()).isEqualTo(4);
  }

  private void look() {
    ledger.forgettings().announce(Fleet.HOLD_MICROS).toCompletableFuture().join();
  }

  @Test
  void B27_four_layers_in_several_slots_allow_what_the_smallest_does() {
    Limiter limiter = gateway(FOUR);
    Request braces = Request.of("app", "{u}1", "GET", "/x");
    List<Decision> ten = IntStream.range(0, 10).mapToObj(i -> send(limiter, braces)).toList();
    assertThat(ten.stream().map(Decision::outcome))
        .containsExactlyElementsOf(
            IntStream.range(0, 10)
                .mapToObj(i -> i < 5 ? Outcome.ALLOWED : Outcome.REFUSED)
                .toList());
    assertThat(ten.get(9).layer()).contains(Layer.USER);
    assertThat(cluster.keys()).anyMatch(key -> key.startsWith("qt:1:{app}:user:app/%7Bu%7D1:"));
  }

  @Test
  void B61_what_a_refusal_charged_in_other_slots_is_given_back() {
    Limiter limiter = gateway(FOUR);
    assertThat(allowed(limiter, REQUEST, 20)).isEqualTo(5);
    Eventually.eventually("charges are back", () -> used(limiter, Layer.NODE, "node") == 5);
    Eventually.eventually("charges are back", () -> used(limiter, Layer.API, "GET /x") == 5);
    assertThat(used(limiter, Layer.CALLER, "app")).isEqualTo(5);
  }

  @Test
  void many_at_once_are_never_granted_too_much_and_leave_nothing_behind() {
    Limiter limiter = gateway(FOUR);
    ExecutorService senders = Executors.newFixedThreadPool(8);
    try {
      List<CompletableFuture<Long>> granted =
          IntStream.range(0, 16)
              .mapToObj(
                  i ->
                      CompletableFuture.supplyAsync(
                          () -> allowed(limiter, Request.of("app", "u" + (i % 8), "GET", "/x"), 20),
                          senders))
              .toList();
      // The api's 20 stand against 40 of eight users; who waits for a give-back is refused.
      assertThat(granted.stream().mapToLong(CompletableFuture::join).sum()).isBetween(1L, 20L);
    } finally {
      senders.shutdown();
    }
    long granted = used(limiter, Layer.CALLER, "app");
    Eventually.eventually("charges are back", () -> used(limiter, Layer.NODE, "node") == granted);
    Eventually.eventually("charges are back", () -> used(limiter, Layer.API, "GET /x") == granted);
  }

  @Test
  void B66_reloads_under_load_refill_no_slot_and_lose_no_give_back() {
    QuotaTree one = tree(node(fixedWindow("100/year")), caller(fixedWindow("50/year")));
    Limiter limiter = gateway(one);
    Policy before = limiter.policy();
    Policy other = Policy.compile(api("GET /y", fixedWindow("9/h")).apply(one), "gw");
    ExecutorService senders = Executors.newFixedThreadPool(4);
    try {
      List<CompletableFuture<Long>> granted =
          IntStream.range(0, 4)
              .mapToObj(
                  i -> CompletableFuture.supplyAsync(() -> allowed(limiter, REQUEST, 50), senders))
              .toList();
      for (int i = 0; i < 50; i++) {
        limiter.use(i % 2 == 0 ? other : before);
      }
      long all = granted.stream().mapToLong(CompletableFuture::join).sum();
      assertThat(all + allowed(limiter, REQUEST, 60)).isEqualTo(50);
      Eventually.eventually("charges are back", () -> used(limiter, Layer.NODE, "node") == 50);
    } finally {
      senders.shutdown();
    }
  }

  @Test
  void permits_in_flight_of_several_slots_are_held_renewed_and_released() {
    Quota two = Quota.of(Allowance.UNLIMITED).withConcurrency(2);
    Limiter limiter = gateway(tree(node(two), caller(two), api("GET /x", two)));
    Decision first = send(limiter, REQUEST);
    Decision second = send(limiter, REQUEST);
    assertThat(first.allowed() && second.allowed()).isTrue();
    assertThat(send(limiter, REQUEST).layer()).contains(Layer.NODE);
    assertThat(ledger.holding()).isEqualTo(2);
    List<String> before = ends();
    ledger.renew(Times.STORES_OWN);
    Eventually.eventually(
        "all three are renewed", () -> ends().stream().noneMatch(before::contains));
    limiter.release(first);
    Eventually.eventually("the permits are back", () -> send(limiter, REQUEST).allowed());
    assertThat(ends()).hasSize(6);
  }

  /** When permits in flight end, of all three counters. */
  private static List<String> ends() {
    List<String> ends = new ArrayList<>();
    for (String key : cluster.keys()) {
      if (key.endsWith(":concurrency-requests")) {
        try (RedisConnection connection = cluster.masterOf(cluster.slotOf(key)).connection()) {
          List<?> pairs = connection.list("ZRANGE", key, "0", "-1", "WITHSCORES");
          for (int i = 1; i < pairs.size(); i += 2) {
            ends.add(key + pairs.get(i));
          }
        }
      }
    }
    return ends;
  }

  @Test
  void B79_a_reset_empties_counters_in_all_slots_and_no_others() {
    QuotaTree tree =
        tree(
            caller(tokenBucket("5/h")),
            user(slidingLog("5/h")),
            api("GET /x", fixedWindow("9/year")));
    Limiter limiter = gateway(tree);
    Request another = Request.of("app2", "u1", "GET", "/x");
    assertThat(allowed(limiter, REQUEST, 5) + allowed(limiter, another, 1)).isEqualTo(6);
    assertThat(limiter.reset(Layer.CALLER, "app")).isEqualTo(1);
    assertThat(limiter.reset(Layer.API, "GET /x")).isEqualTo(1);
    assertThat(used(limiter, Layer.CALLER, "app")).isZero();
    assertThat(used(limiter, Layer.API, "GET /x")).isZero();
    assertThat(used(limiter, Layer.CALLER, "app2")).isEqualTo(1);
  }

  @Test
  void B25_scripts_that_all_servers_lost_are_loaded_again() {
    Limiter limiter = gateway(FOUR);
    assertThat(allowed(limiter, REQUEST, 2)).isEqualTo(2);
    cluster.askAll("SCRIPT", "FLUSH");
    List<Decision> four = IntStream.range(0, 4).mapToObj(i -> new Decision()).toList();
    four.parallelStream().forEach(decision -> limiter.decide(REQUEST, decision));
    assertThat(four.stream().filter(Decision::allowed)).hasSize(3);
    assertThat(four.stream().filter(d -> d.outcome() == Outcome.UNAVAILABLE)).isEmpty();
  }

  /** An api whose counter is on another master than the node's. */
  private static String apiElsewhere(RedisServer than) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> "GET /x" + i)
        .filter(name -> cluster.masterOf(cluster.slotOf("{" + name + "}")) != than)
        .findFirst()
        .orElseThrow();
  }

  private static boolean areUsed(Limiter limiter, String api, long permits) {
    try {
      return used(limiter, Layer.NODE, "node") == permits
          && used(limiter, Layer.API, api) == permits
          && used(limiter, Layer.CALLER, "app") == permits;
    } catch (IllegalStateException e) {
      // The store gave no answer yet.
      return false;
    }
  }

  @Test
  void what_was_charged_for_nobody_is_given_back_of_a_late_reply_too() {
    RedisServer ofNode = cluster.masterOf(cluster.slotOf("{node}"));
    String api = apiElsewhere(ofNode);
    QuotaTree tree =
        tree(
            node(fixedWindow("100/year")),
            caller(fixedWindow("50/year")),
            api(api, fixedWindow("20/year")));
    Request request = Request.of("app", "u1", "GET", api.substring("GET ".length()));
    try (RedisLedger hasty =
        RedisLedger.builder()
            .cluster(cluster.uris())
            .callTimeout(Duration.ofMillis(300))
            .connectTimeout(PATIENCE)
            .open()) {
      Limiter limiter = new Limiter(Policy.compile(tree, "gw"), hasty, Ticker.system());
      Limiter patient = gateway(tree);
      Eventually.eventually("it is warm", () -> send(limiter, request).allowed());
      long before = used(patient, Layer.CALLER, "app");
      ofNode.freeze();
      Outcome outcome = send(limiter, request).outcome();
      ofNode.thaw();
      assertThat(outcome).isEqualTo(Outcome.UNAVAILABLE);
      Eventually.eventually("charges are back", () -> areUsed(patient, api, before));
      assertThat(send(patient, request).allowed()).isTrue();
      assertThat(areUsed(patient, api, before + 1)).isTrue();
    }
  }

  @Test
  void a_server_of_a_cluster_that_is_named_as_the_only_one_decides_nothing() {
    try (RedisLedger alone =
        RedisLedger.builder()
            .uri(cluster.uris().get(0))
            .callTimeout(PATIENCE)
            .connectTimeout(PATIENCE)
            .open()) {
      Limiter limiter = new Limiter(Policy.compile(FOUR, "gw"), alone, Ticker.system());
      assertThat(IntStream.range(0, 9).mapToObj(i -> send(limiter, REQUEST).outcome()).toList())
          .containsOnly(Outcome.UNAVAILABLE);
    }
  }
}
