package io.quotatree.testkit.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A Sentinel of a test's own, which watches a master and puts a replica in its place when that is
 * gone. Not for use by several threads.
 */
public final class RedisSentinel implements AutoCloseable {

  /** What the master is called. */
  public static final String MASTER = "main";

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Path folder;
  private final int port;
  private final Process process;

  /** By TLS; 0 where it does not speak it. */
  private final int tlsPort;

  /** What the test's own connections need; empty for nothing. */
  private final String password;

  private RedisSentinel(int masterPort, Tls tls, String password) throws IOException {
    this.password = password;
    folder = Files.createTempDirectory("quotatree-sentinel");
    port = RedisServer.freePort();
    tlsPort = tls.equals(Tls.NONE) ? 0 : RedisServer.freePort();
    String config =
        """
        port %d
        bind 127.0.0.1
        dir %s
        sentinel monitor %s 127.0.0.1 %d 1
        sentinel down-after-milliseconds %s 500
        sentinel failover-timeout %s 3000
        """
            .formatted(port, folder, MASTER, masterPort, MASTER, MASTER);
    if (!password.isEmpty()) {
      config += "requirepass " + password + "\n";
    }
    if (tlsPort > 0) {
      config +=
          """
          tls-port %d
          tls-cert-file %s
          tls-key-file %s
          tls-ca-cert-file %s
          tls-auth-clients no
          tls-replication yes
          """
              .formatted(tlsPort, tls.certificate, tls.key, tls.certificate);
    }
    Path file = folder.resolve("sentinel.conf");
    Files.writeString(file, config, StandardCharsets.UTF_8);
    process = RedisServer.launched(List.of(file.toString(), "--sentinel"), "+monitor master");
  }

  private record Tls(String certificate, String key) {
    static final Tls NONE = new Tls("", "");
  }

  /** Starts one that watches a master, and returns when it knows so many replicas. */
  public static RedisSentinel watching(RedisServer master, int replicas) {
    return started(master.port(), Tls.NONE, "").knowing(replicas);
  }

  /** The same, of one that asks for a password. */
  public static RedisSentinel watching(RedisServer master, int replicas, String password) {
    return started(master.port(), Tls.NONE, password).knowing(replicas);
  }

  /**
   * The same, of one that speaks TLS with clients and with the servers that it watches.
   *
   * @param certificate its own, in PEM, which it trusts too
   * @param key in PEM
   */
  public static RedisSentinel watchingByTls(
      RedisServer master, int replicas, Path certificate, Path key) {
    return started(master.tlsPort(), new Tls("" + certificate, "" + key), "").knowing(replicas);
  }

  private static RedisSentinel started(int masterPort, Tls tls, String password) {
    try {
      return new RedisSentinel(masterPort, tls, password);
    } catch (IOException e) {
      throw new UncheckedIOException("no Sentinel came up", e);
    }
  }

  private RedisSentinel knowing(int replicas) {
    while (replicas() < replicas) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return this;
  }

  /** A connection of the test's own, which may do everything. */
  public RedisConnection connection() {
    RedisConnection connection = new RedisConnection(port);
    if (!password.isEmpty()) {
      connection.ask("AUTH", password);
    }
    return connection;
  }

  private int replicas() {
    try (RedisConnection connection = connection()) {
      return connection.list("SENTINEL", "REPLICAS", MASTER).size();
    }
  }

  /** The port of the master, as it knows it. */
  public int masterPort() {
    try (RedisConnection connection = connection()) {
      List<?> address = connection.list("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER);
      return Integer.parseInt(String.valueOf(address.get(1)));
    }
  }

  /**
   * Lets a replica take the place of the master, which becomes its replica. Waits until it holds
   * one for fit: it has to hear of it now and then.
   */
  public void failOver() {
    try (RedisConnection connection = connection()) {
      while (!began(connection)) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static boolean began(RedisConnection connection) {
    try {
      connection.ask("SENTINEL", "FAILOVER", MASTER);
      return true;
    } catch (IllegalStateException e) {
      if (String.valueOf(e.getMessage()).contains("NOGOODSLAVE")) {
        return false;
      }
      throw e;
    }
  }

  /** The address by which clients find the master. */
  public String uri() {
    return tlsPort > 0
        ? "rediss-sentinel://127.0.0.1:" + tlsPort + "/0#" + MASTER
        : "redis-sentinel://127.0.0.1:" + port + "/0#" + MASTER;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
      for (String name : List.of("sentinel.conf", "")) {
        Files.deleteIfExists(folder.resolve(name));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot clean up " + folder, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
