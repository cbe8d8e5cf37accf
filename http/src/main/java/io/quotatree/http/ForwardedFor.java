package io.quotatree.http;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whose address a request comes from.
 *
 * <p>{@code X-Forwarded-For} is written from left to right by each hop, the first of which may be
 * anybody. So it is read from the right: each address was written down by the one to its right, and
 * is worth as much as that one is trusted. The walk ends at the first address that is no trusted
 * proxy, at the last good one before something that is no address, and after {@link #MAX_HOPS}.
 *
 * <pre>
 *   socket 10.0.0.1 (trusted)   X-Forwarded-For: 198.51.100.9, 203.0.113.7
 *                                                made up       written by 10.0.0.1: the client
 * </pre>
 */
final class ForwardedFor {

  /** More proxies than stand in any row; bounds the work that a long header makes. */
  static final int MAX_HOPS = 64;

  private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}");

  private final List<AddressBlock> trusted;

  ForwardedFor(List<AddressBlock> trusted) {
    this.trusted = trusted;
  }

  /**
   * What was found.
   *
   * @param address the client's; empty where unknown
   * @param peer whether the other end of the socket is a trusted proxy
   */
  record Found(String address, Identity.Peer peer) {}

  Found find(RequestHeaders headers, @Nullable String peerAddress) {
    Optional<IpAddress> peer = IpAddress.parse(peerAddress == null ? "" : peerAddress);
    if (peer.isEmpty()) {
      return new Found("", Identity.Peer.UNTRUSTED);
    }
    if (!trusts(peer.get())) {
      return new Found(peer.get().text(), Identity.Peer.UNTRUSTED);
    }
    String chain = String.join(",", headers.lines("X-Forwarded-For"));
    return new Found(walk(chain, peer.get()).text(), Identity.Peer.TRUSTED);
  }

  private IpAddress walk(String chain, IpAddress peer) {
    IpAddress last = peer;
    int end = chain.length();
    int hops = 0;
    while (end >= 0 && hops < MAX_HOPS && trusts(last)) {
      int comma = chain.lastIndexOf(',', end - 1);
      String entry = IdentityValues.trimmed(chain.substring(comma + 1, end));
      end = comma;
      hops++;
      // Lists may hold empty elements (RFC 9110, 5.6.1); they say nothing.
      if (!entry.isEmpty()) {
        Optional<IpAddress> hop = parseEntry(entry);
        if (hop.isEmpty()) {
          return last;
        }
        last = hop.get();
      }
    }
    return last;
  }

  /**
   * An address, or one with a port as some proxies write it: {@code 192.0.2.1:443}, {@code
   * [::1]:443}.
   */
  private static Optional<IpAddress> parseEntry(String entry) {
    if (entry.startsWith("[")) {
      int close = entry.indexOf(']');
      String inner = close < 0 ? "" : entry.substring(1, close);
      return inner.indexOf(':') >= 0 && isPortOrNothing(entry.substring(close + 1))
          ? IpAddress.parse(inner)
          : Optional.empty();
    }
    int colon = entry.indexOf(':');
    if (colon > 0 && colon == entry.lastIndexOf(':')) {
      return isPortOrNothing(entry.substring(colon))
          ? IpAddress.parse(entry.substring(0, colon))
          : Optional.empty();
    }
    return IpAddress.parse(entry);
  }

  private static boolean isPortOrNothing(String text) {
    return text.isEmpty() || PORT.matcher(text).matches();
  }

  private boolean trusts(IpAddress address) {
    for (AddressBlock block : trusted) {
      if (block.holds(address)) {
        return true;
      }
    }
    return false;
  }
}
