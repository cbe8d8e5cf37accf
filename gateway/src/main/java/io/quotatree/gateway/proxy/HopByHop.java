package io.quotatree.gateway.proxy;

import io.quotatree.http.QuotaReplies;
import io.vertx.core.MultiMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The header fields of a message that speak of one connection, and so end at the gateway: the known
 * ones, and those that the message's own Connection field names (RFC 9110, section 7.6.1).
 *
 * <p>A Connection field may not name the fields that say how the message ends or whom it is for,
 * nor those that gateways add: a client could so take away what the proxy before us had vouched
 * for.
 */
final class HopByHop {

  private static final Set<String> KNOWN =
      Set.of(
          "connection",
          "proxy-connection",
          "keep-alive",
          "proxy-authenticate",
          "proxy-authorization",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "http2-settings");

  private final Set<String> named;

  private HopByHop(Set<String> named) {
    this.named = named;
  }

  /** The hop-by-hop fields of a message with these header fields. */
  static HopByHop of(MultiMap headers) {
    List<String> lines = headers.getAll("Connection");
    if (lines.isEmpty()) {
      return new HopByHop(Set.of());
    }
    Set<String> named = new HashSet<>();
    for (String line : lines) {
      for (String option : line.split(",", -1)) {
        String name = option.strip().toLowerCase(Locale.ROOT);
        if (!staysWhateverConnectionSays(name)) {
          named.add(name);
        }
      }
    }
    return new HopByHop(named);
  }

  /** Whether the field of this name, in lower case, ends here. */
  boolean covers(String lowerName) {
    return KNOWN.contains(lowerName) || named.contains(lowerName);
  }

  /** Whether a field of this name, in lower case, says what must be known before a body begins. */
  static boolean mayNotTrail(String lowerName) {
    return lowerName.startsWith(":")
        || lowerName.equals("host")
        || lowerName.equals("content-length")
        || lowerName.equals("content-type")
        || lowerName.equals("content-encoding")
        || lowerName.equals("set-cookie")
        || QuotaReplies.displaces(lowerName)
        || lowerName.equals("retry-after");
  }

  private static boolean staysWhateverConnectionSays(String name) {
    return name.isEmpty()
        || name.equals("host")
        || name.equals("content-length")
        || name.equals("forwarded")
        || name.equals("x-real-ip")
        || name.equals("x-request-id")
        || name.startsWith("x-forwarded-")
        || name.startsWith("x-quotatree-");
  }
}
