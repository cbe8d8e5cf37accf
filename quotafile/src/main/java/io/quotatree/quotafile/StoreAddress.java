package io.quotatree.quotafile;

import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Shape;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the servers of a store are, without names and passwords.
 *
 * @param kind how they belong together
 * @param uris one, or those of a cluster's nodes
 */
public record StoreAddress(Kind kind, List<String> uris) {

  /** How servers belong together. */
  public enum Kind {
    /** It is one. */
    SERVER,
    /** The master that Sentinels name. */
    SENTINEL,
    /** Nodes of a cluster, through which the others are found. */
    CLUSTER
  }

  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(?:\\[[0-9a-fA-F:.]+]|[^:\\[\\]]+)(?::([0-9]{1,5}))?");
  private static final int MOST_PORT = 65_535;
  private static final Set<String> SCHEMES = Set.of("redis", "rediss");
  private static final Pattern DATABASE = Pattern.compile("(/[0-9]{0,3})?");
  private static final Pattern SENTINELS =
      Pattern.compile("rediss?-sentinel://[^/@?#,\\s]+(,[^/@?#,\\s]+)*(/[0-9]{0,3})?#[^/@?#,\\s]+");

  private static final Shape<StoreAddress> ONE =
      Shape.text(
          new Shape.Words("the address of a Redis server", "`redis://127.0.0.1:6379`"),
          "^rediss?(-sentinel)?://[^/@?#]+(/[0-9]{0,3})?(#[^/@?#,\\s]+)?$",
          StoreAddress::one);

  private static final Shape<String> NODE =
      Shape.text(
          new Shape.Words("the address of a cluster's node", "`redis://10.0.0.1:6379`"),
          "^rediss?://[^/@?#,]+/?$",
          StoreAddress::node);

  /** A server or Sentinels as a text, or nodes as a list. */
  static final Shape<StoreAddress> SHAPE =
      Shape.either(
          new Shape.Words(
              "the address of a Redis server, or a list of a cluster's nodes",
              "`redis://127.0.0.1:6379`"),
          ONE,
          Shape.list(NODE, 1)
              .as(
                  (nodes, at) ->
                      new StoreAddress(Kind.CLUSTER, nodes.stream().map(Located::value).toList())));

  /** Refuses what names nobody. */
  public StoreAddress {
    Objects.requireNonNull(kind, "kind");
    uris = List.copyOf(uris);
  }

  /** One server. */
  public static StoreAddress server(String uri) {
    return new StoreAddress(Kind.SERVER, List.of(uri));
  }

  /** Whether servers are spoken to by TLS. */
  boolean isByTls() {
    return uris.stream().anyMatch(uri -> uri.startsWith("rediss"));
  }

  /** Whether that is said of some and not of others. */
  boolean isMixed() {
    return isByTls() && !uris.stream().allMatch(uri -> uri.startsWith("rediss"));
  }

  @Override
  public String toString() {
    return String.join(", ", uris);
  }

  private static StoreAddress one(String text) {
    refuseSecrets(text);
    if (text.startsWith("redis-sentinel:") || text.startsWith("rediss-sentinel:")) {
      if (SENTINELS.matcher(text).matches()) {
        refuseOtherPorts(text);
        return new StoreAddress(Kind.SENTINEL, List.of(text));
      }
      throw new IllegalArgumentException(
          "`"
              + text
              + "` does not say which master its Sentinels watch; write `redis-sentinel://HOST:PORT,HOST:PORT/0#MASTER`");
    }
    if (text.indexOf(',') >= 0) {
      throw new IllegalArgumentException(
          "`"
              + text
              + "` names several servers; write a cluster's nodes as a list, each by itself");
    }
    return server(bare(text));
  }

  private static String node(String text) {
    refuseSecrets(text);
    String uri = bare(text);
    String path = URI.create(uri).getRawPath();
    if (!Set.of("", "/", "/0").contains(path)) {
      throw new IllegalArgumentException(
          "`"
              + text
              + "`: a cluster has no database but 0; write the address without `"
              + path
              + "`");
    }
    return uri;
  }

  /** What is wrong is not repeated where it may hold a password. */
  private static void refuseSecrets(String text) {
    if (text.indexOf('@') >= 0) {
      throw new IllegalArgumentException(
          "a name or password does not stand in this file; write the address without it, and beside it `credentials: env:NAME` or `credentials: file:PATH`");
    }
  }

  /** Of Sentinels, which are several in one text. */
  private static void refuseOtherPorts(String text) {
    String all = text.substring(text.indexOf("://") + 3, text.lastIndexOf('#')).split("/", 2)[0];
    for (String sentinel : all.split(",", -1)) {
      Matcher parts = HOST_AND_PORT.matcher(sentinel);
      boolean isOne = parts.matches();
      String port = isOne ? parts.group(1) : null;
      if (!isOne || (port != null && Integer.parseInt(port) > MOST_PORT)) {
        throw new IllegalArgumentException(
            "`"
                + sentinel
                + "` is no address of a Sentinel; write HOST:PORT, such as `10.0.0.1:26379`");
      }
    }
  }

  private static @Nullable URI parsed(String text) {
    try {
      return URI.create(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String bare(String text) {
    URI uri = parsed(text);
    if (uri != null
        && uri.getHost() != null
        && uri.getPort() <= MOST_PORT
        && uri.getScheme() != null
        && SCHEMES.contains(uri.getScheme())
        && uri.getRawQuery() == null
        && uri.getRawFragment() == null
        && DATABASE.matcher(uri.getRawPath()).matches()) {
      return text;
    }
    throw new IllegalArgumentException(notRedis(text));
  }

  private static String notRedis(String text) {
    return "`"
        + text
        + "` is no address of a Redis server; write `redis://HOST:PORT`, or `rediss://HOST:PORT` for TLS";
  }
}
