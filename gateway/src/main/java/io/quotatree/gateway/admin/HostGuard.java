package io.quotatree.gateway.admin;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a request was meant for the admin address, or was led there by a web page.
 *
 * <p>A page whose name its owner points at 127.0.0.1 (DNS rebinding) has the browser send that name
 * as Host; a page elsewhere that calls us has its own name in Origin. So only loopback names and
 * the configured ones pass, in both fields; off the loopback also addresses as such, since no page
 * has one for a name that it could point elsewhere. Who changes something from a page must be on
 * one of this very address.
 */
final class HostGuard {

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private final Set<String> names;
  private final boolean offLoopback;

  /**
   * A guard.
   *
   * @param configuredHost the host of the admin address as it was configured
   * @param nodeId the gateway's own name
   */
  HostGuard(String configuredHost, String nodeId) {
    String host = configuredHost.toLowerCase(Locale.ROOT);
    this.names = Set.copyOf(List.of("localhost", "::1", host, nodeId.toLowerCase(Locale.ROOT)));
    this.offLoopback = !host.equals("localhost") && !host.equals("::1") && !isLoopback4(host);
  }

  boolean admits(HttpServerRequest request) {
    List<String> hosts = request.headers().getAll("Host");
    HostAndPort host;
    if (request.version() == HttpVersion.HTTP_2) {
      host = request.authority();
    } else {
      host = hosts.size() == 1 ? HostAndPort.parseAuthority(hosts.get(0), -1) : null;
    }
    if (host == null || !ours(unbracketed(host.host()))) {
      return false;
    }
    boolean changes = !Set.of("GET", "HEAD").contains(request.method().name());
    for (String origin : request.headers().getAll("Origin")) {
      if (!ours(origin, changes ? host : null)) {
        return false;
      }
    }
    return true;
  }

  private boolean ours(String origin, @Nullable HostAndPort same) {
    try {
      URI uri = URI.create(origin);
      if (uri.getHost() == null || !ours(unbracketed(uri.getHost()))) {
        return false;
      }
      int usual = "https".equals(uri.getScheme()) ? HTTPS_PORT : HTTP_PORT;
      return same == null
          || (unbracketed(uri.getHost()).equalsIgnoreCase(unbracketed(same.host()))
              && port(uri.getPort(), usual) == port(same.port(), usual));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static int port(int written, int usual) {
    return written < 0 ? usual : written;
  }

  private boolean ours(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return names.contains(lower) || isLoopback4(lower) || (offLoopback && isAddress(lower));
  }

  private static boolean isLoopback4(String host) {
    return host.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
  }

  private static boolean isAddress(String host) {
    return host.matches("\\d{1,3}(\\.\\d{1,3}){3}")
        || (host.indexOf(':') >= 0 && host.matches("[0-9a-f:.]+"));
  }

  private static String unbracketed(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }
}
