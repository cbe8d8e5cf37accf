package io.quotatree.testkit.store;

import io.quotatree.core.time.Ticker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Redis cluster of a test's own: servers of which each is responsible for a part of the slots,
 * and perhaps replicas that take over. Not for use by several threads.
 */
public final class RedisCluster implements AutoCloseable {

  private static final int SLOTS = 16_384;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final List<RedisServer> masters = new ArrayList<>();
  private final List<RedisServer> replicas = new ArrayList<>();

  private RedisCluster(int size, List<String> options, Function<String[], RedisServer> starting) {
    List<String> all = new ArrayList<>(List.of("--cluster-enabled", "yes"));
    all.addAll(List.of("--cluster-node-timeout", "1000"));
    all.addAll(List.of("--cluster-replica-validity-factor", "0"));
    all.addAll(options);
    for (int i = 0; i < size; i++) {
      masters.add(starting.apply(all.toArray(String[]::new)));
    }
  }

  /**
   * Starts a cluster, and returns when it takes commands.
   *
   * @param masters how many servers share the slots, in equal parts
   * @param options further options of {@code redis-server}
   */
  public static RedisCluster start(int masters, String... options) {
    return joined(new RedisCluster(masters, List.of(options), RedisServer::start));
  }

  /**
   * Starts a cluster that speaks TLS, also among its servers.
   *
   * @param certificate of all servers, in PEM, which they trust too
   * @param key in PEM
   */
  public static RedisCluster startByTls(int masters, Path certificate, Path key) {
    List<String> options =
        List.of(
            "--tls-cluster", "yes",
            "--tls-replication", "yes",
            "--tls-auth-clients", "no",
            "--tls-ca-cert-file", "" + certificate);
    return joined(
        new RedisCluster(masters, options, all -> RedisServer.startByTls(certificate, key, all)));
  }

  private static RedisCluster joined(RedisCluster cluster) {
    int masters = cluster.masters.size();
    for (int i = 0; i < masters; i++) {
      try (RedisConnection connection = cluster.masters.get(i).connection()) {
        connection.ask("CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1));
        int from = i * SLOTS / masters;
        int to = (i + 1) * SLOTS / masters;
        Stream<String> slots = IntStream.range(from, to).mapToObj(slot -> "" + slot);
        connection.ask(
            Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots).toArray(String[]::new));
      }
      cluster.introduce(cluster.masters.get(i));
    }
    cluster.awaitWhole();
    return cluster;
  }

  private void introduce(RedisServer server) {
    if (server == masters.get(0)) {
      return;
    }
    try (RedisConnection connection = masters.get(0).connection()) {
      // Among themselves they speak TLS where they do at all.
      int port = server.tlsPort() > 0 ? server.tlsPort() : server.port();
      connection.ask("CLUSTER", "MEET", "127.0.0.1", "" + port);
    }
  }

  /** All servers know all, and each slot has one. */
  private void awaitWhole() {
    List<RedisServer> all = servers();
    String known = "cluster_known_nodes:" + all.size();
    await(
        "the cluster is whole",
        () ->
            all.stream()
                .map(server -> asked(server, "CLUSTER", "INFO"))
                .allMatch(info -> info.contains("cluster_state:ok") && info.contains(known)));
  }

  /** Adds a server that follows a master, and takes over from it when that is gone. */
  public RedisServer addReplica(RedisServer of) {
    RedisServer replica =
        RedisServer.start(
            "--cluster-enabled", "yes",
            "--cluster-node-timeout", "1000",
            "--cluster-replica-validity-factor", "0",
            "--repl-diskless-sync", "yes",
            "--repl-diskless-sync-delay", "0");
    replicas.add(replica);
    introduce(replica);
    awaitWhole();
    asked(replica, "CLUSTER", "REPLICATE", id(of));
    await(
        "the replica follows",
        () -> asked(replica, "INFO", "replication").contains("master_link_status:up"));
    return replica;
  }

  /** The masters that it was started with. */
  public List<RedisServer> masters() {
    return List.copyOf(masters);
  }

  private List<RedisServer> servers() {
    return Stream.concat(masters.stream(), replicas.stream()).toList();
  }

  /** The addresses of the masters that it was started with. */
  public List<String> uris() {
    return masters.stream()
        .map(
            server ->
                server.tlsPort() > 0 ? "rediss://127.0.0.1:" + server.tlsPort() : server.uri())
        .toList();
  }

  /** The slot of a key. */
  public int slotOf(String key) {
    return Integer.parseInt(asked(masters.get(0), "CLUSTER", "KEYSLOT", key));
  }

  /** The master that a slot belonged to at the start. */
  public RedisServer masterOf(int slot) {
    return masters.get(
        (int)
            IntStream.range(1, masters.size())
                .filter(i -> slot >= i * SLOTS / masters.size())
                .count());
  }

  /** The first steps of moving a slot: from now on its keys may be in both places. */
  public void beginMove(int slot, RedisServer from, RedisServer to) {
    asked(to, "CLUSTER", "SETSLOT", "" + slot, "IMPORTING", id(from));
    asked(from, "CLUSTER", "SETSLOT", "" + slot, "MIGRATING", id(to));
  }

  /** Moves what is in a slot, as far as it is there yet. */
  public void moveKeys(int slot, RedisServer from, RedisServer to) {
    try (RedisConnection connection = from.connection()) {
      List<?> keys = connection.list("CLUSTER", "GETKEYSINSLOT", "" + slot, "1000");
      for (Object key : keys) {
        connection.ask("MIGRATE", "127.0.0.1", "" + to.port(), "" + key, "0", "10000");
      }
    }
  }

  /** The last steps of moving a slot. */
  public void endMove(int slot, RedisServer from, RedisServer to) {
    moveKeys(slot, from, to);
    String id = id(to);
    asked(to, "CLUSTER", "SETSLOT", "" + slot, "NODE", id);
    asked(from, "CLUSTER", "SETSLOT", "" + slot, "NODE", id);
  }

  /** Waits until a replica has become a master. */
  public void awaitMaster(RedisServer replica) {
    await(
        "the replica took over",
        () -> asked(replica, "INFO", "replication").contains("role:master"));
  }

  private static String id(RedisServer server) {
    return asked(server, "CLUSTER", "MYID");
  }

  private static String asked(RedisServer server, String... words) {
    try (RedisConnection connection = server.connection()) {
      return String.valueOf(connection.ask(words));
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    long startNanos = Ticker.system().monotonicNanos();
    while (!condition.getAsBoolean()) {
      if (Ticker.system().monotonicNanos() - startNanos > PATIENCE_NANOS) {
        throw new AssertionError("never came true: " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** All keys of the masters that it was started with. */
  public List<String> keys() {
    return masters.stream().flatMap(master -> master.keys().stream()).sorted().toList();
  }

  /** Keys that would stay for ever. */
  public List<String> keysWithoutEnd() {
    return masters.stream().flatMap(master -> master.keysWithoutEnd().stream()).toList();
  }

  /** Asks every master the same. */
  public void askAll(String... words) {
    masters.forEach(master -> asked(master, words));
  }

  @Override
  public void close() {
    servers().forEach(RedisServer::close);
  }

  @Override
  public String toString() {
    return Arrays.toString(uris().toArray());
  }
}
