package io.quotatree.redis;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.node;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.Certainty;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.Ticker;
import io.quotatree.testkit.store.RedisCluster;
import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisSentinel;
import io.quotatree.testkit.store.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A master is gone and a replica takes over. */
class MasterGoneTest {

  private static final Request REQUEST = Request.of("app", "u1", "GET", "/x");
  private static final int LIMIT = 300;
  private static final QuotaTree TREE =
      tree(node(fixedWindow("100000/year")), caller(fixedWindow(LIMIT + "/year")));

  private static RedisLedger opened(RedisLedgerBuilder builder) {
    RedisLedger ledger =
        builder.callTimeout(Duration.ofMillis(500)).connectTimeout(Duration.ofSeconds(2)).open();
    Eventually.eventually("it is connected", () -> ledger.state() == StoreState.UP);
    return ledger;
  }

  private static Limiter gateway(RedisLedger ledger) {
    return new Limiter(Policy.compile(TREE, "gw"), ledger, Ticker.system());
  }

  private static Outcome send(Limiter limiter) {
    Decision decision = new Decision();
    limiter.decide(REQUEST, decision);
    return decision.outcome();
  }

  private static int allowed(Limiter limiter, int times) {
    int allowed = 0;
    for (int i = 0; i < times; i++) {
      allowed += send(limiter) == Outcome.ALLOWED ? 1 : 0;
    }
    return allowed;
  }

  /** Sends until it was told to stop and nothing is granted any more. */
  private static List<Outcome> sendUntil(Limiter limiter, AtomicBoolean isOver) {
    List<Outcome> outcomes = new ArrayList<>();
    while (!isOver.get() || outcomes.get(outcomes.size() - 1) != Outcome.REFUSED) {
      outcomes.add(send(limiter));
    }
    return outcomes;
  }

  private static int connectedAgain(Limiter limiter) {
    int[] allowed = {0};
    Eventually.eventually(
        "the store answers",
        () -> {
          Outcome outcome = send(limiter);
          allowed[0] += outcome == Outcome.ALLOWED ? 1 : 0;
          return outcome != Outcome.UNAVAILABLE;
        });
    return allowed[0];
  }

  private static void awaitReplicated(RedisServer master) {
    try (RedisConnection connection = master.connection()) {
      connection.ask("SET", "qt:marker", "1", "PX", "600000");
      assertThat(connection.ask("WAIT", "1", "10000")).isEqualTo(1L);
    }
  }

  /** What was replicated stays counted; what was not may be granted once more. */
  private static void underLoad(RedisLedger ledger, Runnable takeOver) {
    AtomicBoolean isOver = new AtomicBoolean();
    Limiter limiter = gateway(ledger);
    Supplier<List<Outcome>> load = () -> sendUntil(limiter, isOver);
    CompletableFuture<List<Outcome>> sent = CompletableFuture.supplyAsync(load);
    takeOver.run();
    isOver.set(true);
    List<Outcome> outcomes = sent.join();
    assertThat(outcomes.stream().filter(outcome -> outcome == Outcome.ALLOWED).count())
        .isBetween((long) LIMIT, 2L * LIMIT);
    assertThat(outcomes).containsOnly(Outcome.ALLOWED, Outcome.REFUSED, Outcome.UNAVAILABLE);
  }

  @Test
  void a_replica_of_a_cluster_goes_on_where_its_master_was_killed() {
    try (RedisCluster cluster = RedisCluster.start(3)) {
      RedisServer master = cluster.masterOf(cluster.slotOf("{app}"));
      RedisServer replica = cluster.addReplica(master);
      try (RedisLedger ledger = opened(RedisLedger.builder().cluster(cluster.uris()))) {
        Limiter limiter = gateway(ledger);
        assertThat(allowed(limiter, 100)).isEqualTo(100);
        awaitReplicated(master);
        master.kill();
        cluster.awaitMaster(replica);
        int after = connectedAgain(limiter);
        assertThat(after + allowed(limiter, LIMIT)).isEqualTo(LIMIT - 100);
      }
    }
  }

  @Test
  void a_master_of_a_cluster_that_is_killed_under_load_costs_no_more_than_what_it_had_not_told() {
    try (RedisCluster cluster = RedisCluster.start(3)) {
      RedisServer master = cluster.masterOf(cluster.slotOf("{app}"));
      RedisServer replica = cluster.addReplica(master);
      try (RedisLedger ledger = opened(RedisLedger.builder().cluster(cluster.uris()))) {
        underLoad(
            ledger,
            () -> {
              master.kill();
              cluster.awaitMaster(replica);
            });
      }
    }
  }

  @Test
  void a_frozen_master_of_a_cluster_is_left_for_its_replica_and_nothing_else_is_held_up() {
    try (RedisCluster cluster = RedisCluster.start(3, "--cluster-require-full-coverage", "no")) {
      RedisServer master = cluster.masterOf(cluster.slotOf("{node}"));
      RedisServer replica = cluster.addReplica(master);
      String elsewhere =
          IntStream.range(0, 1_000)
              .mapToObj(i -> "app" + i)
              .filter(name -> cluster.masterOf(cluster.slotOf("{" + name + "}")) != master)
              .findFirst()
              .orElseThrow();
      Request request = Request.of(elsewhere, "u", "GET", "/x");
      try (RedisLedger ledger =
              opened(RedisLedger.builder().cluster(cluster.uris()).local(new MemoryLedger()));
          RedisLedger another = opened(RedisLedger.builder().cluster(cluster.uris()))) {
        Limiter limiter =
            new Limiter(policy(tree(caller(fixedWindow("9/s")))), ledger, Ticker.system());
        Eventually.eventually("all is known", () -> another.gateways() == 2);
        Eventually.eventually("it is warm", () -> sure(limiter, request) == Certainty.EXACT);
        Eventually.eventually("they are copied", () -> announced(replica) == 2);
        master.freeze();
        // Whoever is asked for something there now may never answer.
        limiter.use(policy(tree(caller(fixedWindow("9/s")), node(fixedWindow("9/s")))));
        limiter.use(policy(tree(caller(fixedWindow("9/s")))));
        cluster.awaitMaster(replica);
        Eventually.eventually("it is asked", () -> sure(limiter, request) == Certainty.EXACT);
        // Without its announcements it would be gone after three seconds.
        Eventually.eventually("all are asked", () -> ledger.state() == StoreState.UP);
        Eventually.eventually("the fleet goes on", () -> announced(replica) == 2);
        master.thaw();
      }
    }
  }

  private static Policy policy(QuotaTree tree) {
    return Policy.compile(tree, "gw");
  }

  private static Certainty sure(Limiter limiter, Request request) {
    Decision decision = new Decision();
    limiter.decide(request, decision);
    return decision.certainty();
  }

  private static long announced(RedisServer server) {
    try (RedisConnection connection = server.connection()) {
      // It may be a replica yet.
      connection.ask("READONLY");
      return Long.parseLong(String.valueOf(connection.ask("ZCARD", "qt:1:{node}:fleet")));
    }
  }

  private static RedisServer replicaOf(RedisServer master) {
    RedisServer replica =
        RedisServer.start(
            "--repl-diskless-sync", "yes", "--replicaof", "127.0.0.1", "" + master.port());
    Eventually.eventually(
        "the replica follows",
        () -> {
          try (RedisConnection connection = replica.connection()) {
            String said = String.valueOf(connection.ask("INFO", "replication"));
            return said.contains("master_link_status:up");
          }
        });
    return replica;
  }

  @Test
  void the_replica_that_sentinel_names_goes_on_where_the_master_was_killed() {
    try (RedisServer master = RedisServer.start("--repl-diskless-sync-delay", "0");
        RedisServer replica = replicaOf(master);
        RedisSentinel sentinel = RedisSentinel.watching(master, 1);
        RedisLedger ledger = opened(RedisLedger.builder().uri(sentinel.uri()))) {
      Limiter limiter = gateway(ledger);
      assertThat(allowed(limiter, 100)).isEqualTo(100);
      awaitReplicated(master);
      master.kill();
      Eventually.eventually("a replica is named", () -> sentinel.masterPort() == replica.port());
      int after = connectedAgain(limiter);
      assertThat(after + allowed(limiter, LIMIT)).isEqualTo(LIMIT - 100);
    }
  }

  @Test
  void a_master_that_sentinel_gave_up_is_left_even_if_its_connections_stand() {
    try (RedisServer master = RedisServer.start("--repl-diskless-sync-delay", "0");
        RedisServer replica = replicaOf(master);
        RedisSentinel sentinel = RedisSentinel.watching(master, 1);
        RedisLedger ledger = opened(RedisLedger.builder().uri(sentinel.uri()))) {
      underLoad(
          ledger,
          () -> {
            master.freeze();
            Eventually.eventually(
                "a replica is named", () -> sentinel.masterPort() == replica.port());
          });
      try (RedisConnection connection = replica.connection()) {
        assertThat(String.valueOf(connection.ask("CLIENT", "LIST"))).contains("cmd=evalsha");
      }
      master.thaw();
    }
  }

  @Test
  void a_sentinel_that_is_slow_to_give_a_master_up_is_asked_until_it_has() {
    try (RedisServer master = RedisServer.start("--repl-diskless-sync-delay", "0");
        RedisServer replica = replicaOf(master);
        RedisSentinel sentinel = RedisSentinel.watching(master, 1);
        RedisConnection operator = sentinel.connection();
        RedisLedger ledger = opened(RedisLedger.builder().uri(sentinel.uri()))) {
      Limiter limiter = gateway(ledger);
      assertThat(allowed(limiter, 100)).isEqualTo(100);
      awaitReplicated(master);
      givesUpAfter(operator, Duration.ofHours(1));
      long before = asked(operator);
      master.freeze();
      Eventually.eventually(
          "it is asked again and again",
          () -> send(limiter) == Outcome.UNAVAILABLE && asked(operator) >= before + 3);
      assertThat(sentinel.masterPort()).isEqualTo(master.port());
      givesUpAfter(operator, Duration.ofMillis(200));
      int after = connectedAgain(limiter);
      assertThat(after + allowed(limiter, LIMIT)).isEqualTo(LIMIT - 100);
      assertThat(sentinel.masterPort()).isEqualTo(replica.port());
      master.thaw();
    }
  }

  private static void givesUpAfter(RedisConnection sentinel, Duration silence) {
    String millis = Long.toString(silence.toMillis());
    sentinel.ask("SENTINEL", "SET", RedisSentinel.MASTER, "down-after-milliseconds", millis);
  }

  /** How often a Sentinel was asked: each time by a connection of its own. */
  private static long asked(RedisConnection sentinel) {
    String said = String.valueOf(sentinel.ask("INFO", "stats"));
    Matcher connections = Pattern.compile("total_connections_received:(\\d+)").matcher(said);
    assertThat(connections.find()).as(said).isTrue();
    return Long.parseLong(connections.group(1));
  }

  @Test
  void a_server_that_became_a_replica_is_left_for_the_one_that_sentinel_names() {
    try (RedisServer master = RedisServer.start("--repl-diskless-sync-delay", "0");
        RedisServer replica = replicaOf(master);
        RedisSentinel sentinel = RedisSentinel.watching(master, 1);
        RedisLedger ledger = opened(RedisLedger.builder().uri(sentinel.uri()))) {
      Limiter limiter = gateway(ledger);
      assertThat(allowed(limiter, 100)).isEqualTo(100);
      awaitReplicated(master);
      sentinel.failOver();
      Eventually.eventually("a replica is named", () -> sentinel.masterPort() == replica.port());
      int after = 0;
      Eventually.eventually(
          "decisions are the new master's", () -> evalshaCalls(replica, limiter) > 0);
      after += connectedAgain(limiter);
      assertThat(after + allowed(limiter, LIMIT)).isLessThanOrEqualTo(LIMIT - 100);
      assertThat(send(limiter)).isEqualTo(Outcome.REFUSED);
    }
  }

  private static int evalshaCalls(RedisServer server, Limiter limiter) {
    send(limiter);
    try (RedisConnection connection = server.connection()) {
      String said = String.valueOf(connection.ask("INFO", "commandstats"));
      return said.contains("cmdstat_evalsha:") ? 1 : 0;
    }
  }
}
