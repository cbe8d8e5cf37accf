package io.quotatree.gateway.proxy;

import java.net.URI;
import java.util.Locale;

/**
 * One address of an upstream.
 *
 * @param transport how it is spoken to
 * @param host its name or address; an IPv6 address without brackets
 * @param port its port, 1 to 65535
 */
public record Target(Transport transport, String host, int port) {

  /** Refuses what nobody can connect to. */
  public Target {
    if (host.isEmpty()) {
      throw new IllegalArgumentException("a target without a host: write http://HOST:PORT");
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + " of " + host + ": write 1 to 65535");
    }
  }

  /**
   * Reads a target as quota files write it: {@code http://HOST:PORT}.
   *
   * @throws IllegalArgumentException if it has another scheme than {@code http}, {@code https},
   *     {@code h2c} and {@code h2}, no host, or a path, a query or a user
   */
  public static Target of(URI uri) {
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    Transport transport =
        switch (scheme) {
          case "http" -> Transport.CLEAR;
          case "https" -> Transport.TLS;
          case "h2c" -> Transport.H2_CLEAR;
          case "h2" -> Transport.H2_TLS;
          default ->
              throw new IllegalArgumentException(
                  "target "
                      + uri
                      + ": write http://HOST:PORT, or https://, or h2c:// and h2:// for HTTP/2");
        };
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    if (uri.getHost() == null
        || uri.getRawUserInfo() != null
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null
        || !(path.isEmpty() || path.equals("/"))) {
      throw new IllegalArgumentException(
          "target " + uri + ": write a scheme, a host and a port alone; a request's path is kept");
    }
    String host = uri.getHost();
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    return new Target(
        transport,
        bracketed ? host.substring(1, host.length() - 1) : host,
        uri.getPort() == -1 ? transport.port : uri.getPort());
  }

  /** What a request's Host says: the port is left out where it is the scheme's own. */
  String hostField() {
    String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return port == transport.port ? name : name + ":" + port;
  }

  @Override
  public String toString() {
    return transport.scheme + "://" + hostField();
  }

  /** How a target is spoken to. */
  public enum Transport {
    /** HTTP/1.1 without encryption. */
    CLEAR("http", 80),
    /** HTTP/1.1 over TLS, with a certificate for its host that the JVM trusts. */
    TLS("https", 443),
    /** HTTP/2 without encryption, known beforehand. */
    H2_CLEAR("h2c", 80),
    /** HTTP/2 over TLS, agreed on by ALPN; the certificate as with {@link #TLS}. */
    H2_TLS("h2", 443);

    private final String scheme;
    private final int port;

    Transport(String scheme, int port) {
      this.scheme = scheme;
      this.port = port;
    }

    boolean encrypted() {
      return this == TLS || this == H2_TLS;
    }

    boolean http2() {
      return this == H2_CLEAR || this == H2_TLS;
    }
  }
}
