package io.quotatree.gateway.admin;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Tells whether a request was meant for the admin address, or was led there by a web page.
 *
 * <p>A page whose name its owner points at 127.0.0.1 (DNS rebinding) has the browser send that name
 * as Host; a page elsewhere that calls us has its own name in Origin. So only loopback names and
 * the configured one pass, in both fields.
 */
final class LoopbackGuard {

  private final Set<String> names;

  LoopbackGuard(String configuredHost) {
    this.names = Set.of("localhost", "::1", configuredHost.toLowerCase(Locale.ROOT));
  }

  boolean admits(HttpServerRequest request) {
    List<String> hosts = request.headers().getAll("Host");
    return hosts.size() == 1
        && ours(hostOf(hosts.get(0)))
        && request.headers().getAll("Origin").stream().allMatch(this::oursByOrigin);
  }

  private boolean oursByOrigin(String origin) {
    try {
      String host = URI.create(origin).getHost();
      return host != null && ours(unbracketed(host));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private boolean ours(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return names.contains(lower) || lower.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
  }

  private static String hostOf(String field) {
    HostAndPort authority = HostAndPort.parseAuthority(field, -1);
    return authority == null ? "" : unbracketed(authority.host());
  }

  private static String unbracketed(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }
}
