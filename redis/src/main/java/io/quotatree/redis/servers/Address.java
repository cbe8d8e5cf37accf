package io.quotatree.redis.servers;

import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.List;

/** Where a store is. Texts may hold a password, so no message repeats them. */
public final class Address {

  private static final String SEPARATOR = "://";

  private final boolean isOfCluster;

  /** Of the server, or of the cluster's nodes; under Sentinel one that holds the Sentinels'. */
  private final List<RedisURI> uris;

  private Address(boolean isOfCluster, List<RedisURI> uris) {
    this.isOfCluster = isOfCluster;
    this.uris = uris;
  }

  boolean isOfCluster() {
    return isOfCluster;
  }

  List<RedisURI> uris() {
    return uris;
  }

  /**
   * One that is written as a text; several nodes of a cluster are separated by commas.
   *
   * @throws IllegalArgumentException if it cannot be read
   */
  public static Address of(String text) {
    if (text.startsWith("redis-sentinel:") || text.startsWith("rediss-sentinel:")) {
      return sentinel(text);
    }
    if (text.indexOf(',') >= 0) {
      return cluster(List.of(text.split(",", -1)));
    }
    return new Address(
        false, List.of(server(text, "write redis://HOST:PORT, or rediss://HOST:PORT")));
  }

  private static Address sentinel(String text) {
    String form = "write redis-sentinel://HOST:PORT,HOST:PORT/0#MASTER";
    RedisURI uri = parsed(text, form);
    if (uri.getSentinels().isEmpty()) {
      throw new IllegalArgumentException("the store's address names no Sentinel; " + form);
    }
    return new Address(false, List.of(uri));
  }

  /**
   * Nodes of a cluster; those without a scheme have that of the first, and its login.
   *
   * @throws IllegalArgumentException if one cannot be read
   */
  public static Address cluster(List<String> nodes) {
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("no node of the cluster is named; write at least one");
    }
    String form = "write redis://HOST:PORT, or rediss://HOST:PORT, for each node";
    List<RedisURI> uris = new ArrayList<>();
    String first = nodes.get(0).strip();
    int end = first.indexOf(SEPARATOR);
    String scheme = end < 0 ? "" : first.substring(0, end + SEPARATOR.length());
    for (String node : nodes) {
      String text = node.strip();
      RedisURI uri = server(text.contains(SEPARATOR) ? text : scheme + text, form);
      if (uri.getDatabase() != 0) {
        throw new IllegalArgumentException(
            "a cluster has no database but 0; " + form + ", without a number");
      }
      if (!uris.isEmpty()) {
        if (uri.isSsl() != uris.get(0).isSsl()) {
          throw new IllegalArgumentException(
              "some nodes of the cluster are named with TLS and some without; " + form);
        }
        uri.applyAuthentication(uris.get(0));
      }
      uris.add(uri);
    }
    return new Address(true, List.copyOf(uris));
  }

  private static RedisURI server(String text, String form) {
    RedisURI uri = parsed(text, form);
    String host = uri.getHost();
    // What is no number after a colon is taken for a part of the host.
    boolean isNone = host == null || host.isEmpty() || host.matches("[^:]*:[^:]*");
    if (isNone || !uri.getSentinels().isEmpty()) {
      throw new IllegalArgumentException("the store's address names no server; " + form);
    }
    return uri;
  }

  private static RedisURI parsed(String text, String form) {
    try {
      return RedisURI.create(text);
    } catch (RuntimeException e) {
      // The cause's text may hold a password too.
      throw new IllegalArgumentException("the store's address cannot be read; " + form);
    }
  }
}
