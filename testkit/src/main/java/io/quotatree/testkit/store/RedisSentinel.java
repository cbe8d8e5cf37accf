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

  private RedisSentinel(RedisServer master) throws IOException {
    folder = Files.createTempDirectory("quotatree-sentinel");
    port = RedisServer.freePort();
    String config =
        """
        port %d
        bind 127.0.0.1
        dir %s
        sentinel monitor %s 127.0.0.1 %d 1
        sentinel down-after-milliseconds %s 500
        sentinel failover-timeout %s 3000
        """
            .formatted(port, folder, MASTER, master.port(), MASTER, MASTER);
    Path file = folder.resolve("sentinel.conf");
    Files.writeString(file, config, StandardCharsets.UTF_8);
    process = RedisServer.launched(List.of(file.toString(), "--sentinel"), "+monitor master");
  }

  /** Starts one that watches a master, and returns when it knows so many replicas. */
  public static RedisSentinel watching(RedisServer master, int replicas) {
    try {
      RedisSentinel sentinel = new RedisSentinel(master);
      while (sentinel.replicas() < replicas) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      return sentinel;
    } catch (IOException e) {
      throw new UncheckedIOException("no Sentinel came up", e);
    }
  }

  private int replicas() {
    try (RedisConnection connection = new RedisConnection(port)) {
      return connection.list("SENTINEL", "REPLICAS", MASTER).size();
    }
  }

  /** The port of the master, as it knows it. */
  public int masterPort() {
    try (RedisConnection connection = new RedisConnection(port)) {
      List<?> address = connection.list("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER);
      return Integer.parseInt(String.valueOf(address.get(1)));
    }
  }

  /**
   * Lets a replica take the place of the master, which becomes its replica. Waits until it holds
   * one for fit: it has to hear of it now and then.
   */
  public void failOver() {
    try (RedisConnection connection = new RedisConnection(port)) {
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
    return "redis-sentinel://127.0.0.1:" + port + "/0#" + MASTER;
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
