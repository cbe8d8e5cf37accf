package io.quotatree.gateway.proxy;

import io.quotatree.http.Identity;
import io.vertx.core.MultiMap;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What logs on both sides call a request: the {@code X-Request-Id} of a trusted proxy, else 32
 * random hexadecimal digits. A client may not choose it: it moves the Retry-After.
 */
final class RequestIds {

  private static final int MAX_CHARS = 128;
  private static final HexFormat HEX = HexFormat.of();

  private RequestIds() {}

  static String of(MultiMap headers, Identity.Peer peer) {
    if (peer == Identity.Peer.TRUSTED) {
      List<String> given = headers.getAll("X-Request-Id");
      if (given.size() == 1 && usable(given.get(0))) {
        return given.get(0);
      }
    }
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return HEX.toHexDigits(random.nextLong()) + HEX.toHexDigits(random.nextLong());
  }

  private static boolean usable(String id) {
    return !id.isEmpty()
        && id.length() <= MAX_CHARS
        && id.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }
}
