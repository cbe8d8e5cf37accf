package io.quotatree.http;

import io.quotatree.core.policy.ClientAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An IPv4 or IPv6 address, read from its literal; never from a name.
 *
 * <p>IPv4 addresses in IPv6 clothing ({@code ::ffff:192.0.2.1}) are IPv4 addresses. A zone ({@code
 * %eth0}) is dropped: it tells an interface of this machine, not who the peer is.
 *
 * @param family which kind it is
 * @param high its first 64 bits; 0 for IPv4
 * @param low its last 64 bits; the last 32 for IPv4
 */
record IpAddress(Family family, long high, long low) {

  private static final int GROUPS = 8;
  private static final int MAX_LITERAL_CHARS = 45;
  private static final int V4_OCTETS = 4;

  enum Family {
    V4(32),
    V6(128);

    private final int bits;

    Family(int bits) {
      this.bits = bits;
    }

    int bits() {
      return bits;
    }
  }

  /** Reads a literal as it stands in configuration or comes from a socket; empty if it is none. */
  static Optional<IpAddress> parse(String literal) {
    // Brackets belong to hosts with ports, not to addresses.
    byte @Nullable [] octets = literal.startsWith("[") ? null : ClientAddress.parsed(literal);
    if (octets == null) {
      return Optional.empty();
    }
    ByteBuffer words = ByteBuffer.wrap(octets);
    return Optional.of(
        octets.length == V4_OCTETS
            ? new IpAddress(Family.V4, 0, words.getInt() & 0xFFFF_FFFFL)
            : new IpAddress(Family.V6, words.getLong(), words.getLong()));
  }

  /** Its one spelling: dotted for IPv4; RFC 5952 for IPv6. */
  String text() {
    return family == Family.V4 ? v4Text() : v6Text();
  }

  private String v4Text() {
    return (low >>> 24) + "." + (low >>> 16 & 255) + "." + (low >>> 8 & 255) + "." + (low & 255);
  }

  private String v6Text() {
    int gapStart = -1;
    int gapLength = 1; // RFC 5952: a single zero group is written out
    for (int i = 0; i < GROUPS; i++) {
      int zeros = zerosFrom(i);
      if (zeros > gapLength) {
        gapStart = i;
        gapLength = zeros;
      }
    }
    StringBuilder text = new StringBuilder(MAX_LITERAL_CHARS);
    int i = 0;
    while (i < GROUPS) {
      if (i == gapStart) {
        text.append("::");
        i += gapLength;
      } else {
        text.append(i == 0 || text.charAt(text.length() - 1) == ':' ? "" : ":")
            .append(hex(group(i)));
        i++;
      }
    }
    return text.toString();
  }

  private int zerosFrom(int first) {
    int end = first;
    while (end < GROUPS && group(end) == 0) {
      end++;
    }
    return end - first;
  }

  private long group(int index) {
    long word = index < GROUPS / 2 ? high : low;
    return word >>> (48 - 16 * (index % 4)) & 0xFFFF;
  }

  private static String hex(long group) {
    return Long.toHexString(group);
  }
}
