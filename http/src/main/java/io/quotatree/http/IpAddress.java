package io.quotatree.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

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
  private static final int NO_GROUP = -1;
  private static final long MAPPED_PREFIX = 0xFFFFL;

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
    int zone = literal.indexOf('%');
    String text = zone < 0 ? literal : literal.substring(0, zone);
    if (text.length() > MAX_LITERAL_CHARS) {
      return Optional.empty();
    }
    if (text.indexOf(':') >= 0) {
      return parseV6(text);
    }
    long v4 = zone < 0 ? v4Bits(text) : -1;
    return v4 < 0 ? Optional.empty() : Optional.of(new IpAddress(Family.V4, 0, v4));
  }

  /** Its one spelling: dotted for IPv4; RFC 5952 for IPv6. */
  String text() {
    return family == Family.V4 ? v4Text() : v6Text();
  }

  private static long v4Bits(String text) {
    long bits = 0;
    int octets = 0;
    int start = 0;
    while (start <= text.length()) {
      int dot = text.indexOf('.', start);
      int end = dot < 0 ? text.length() : dot;
      int octet = octet(text, start, end);
      if (octet < 0 || ++octets > 4) {
        return -1;
      }
      bits = bits << 8 | octet;
      start = end + 1;
    }
    return octets == 4 ? bits : -1;
  }

  /** A leading zero is refused: some read it as octal. */
  private static int octet(String text, int start, int end) {
    int digits = end - start;
    if (digits < 1 || digits > 3 || (digits > 1 && text.charAt(start) == '0')) {
      return -1;
    }
    int value = 0;
    for (int i = start; i < end; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value <= 255 ? value : -1;
  }

  private static Optional<IpAddress> parseV6(String literal) {
    int lastColon = literal.lastIndexOf(':');
    String text = literal;
    if (literal.indexOf('.') >= 0) {
      long v4 = v4Bits(literal.substring(lastColon + 1));
      if (v4 < 0) {
        return Optional.empty();
      }
      text = literal.substring(0, lastColon + 1) + hex(v4 >>> 16) + ":" + hex(v4 & 0xFFFF);
    }
    int gap = text.indexOf("::");
    List<Integer> head = groups(gap < 0 ? text : text.substring(0, gap));
    List<Integer> tail = gap < 0 ? List.of() : groups(text.substring(gap + 2));
    int missing = GROUPS - head.size() - tail.size();
    boolean whole = gap < 0 ? missing == 0 : missing >= 1;
    if (!whole || head.contains(NO_GROUP) || tail.contains(NO_GROUP)) {
      return Optional.empty();
    }
    List<Integer> groups = new ArrayList<>(head);
    groups.addAll(Collections.nCopies(missing, 0));
    groups.addAll(tail);
    return Optional.of(ofGroups(groups));
  }

  /** The groups of a text without {@code ::}; none of an empty text. */
  private static List<Integer> groups(String text) {
    List<Integer> groups = new ArrayList<>(GROUPS);
    int start = 0;
    while (!text.isEmpty() && start <= text.length()) {
      int colon = text.indexOf(':', start);
      int end = colon < 0 ? text.length() : colon;
      groups.add(group(text, start, end));
      start = end + 1;
    }
    return groups;
  }

  private static int group(String text, int start, int end) {
    if (end - start < 1 || end - start > 4) {
      return NO_GROUP;
    }
    int value = 0;
    for (int i = start; i < end; i++) {
      if (!HexFormat.isHexDigit(text.charAt(i))) {
        return NO_GROUP;
      }
      value = value << 4 | HexFormat.fromHexDigit(text.charAt(i));
    }
    return value;
  }

  private static IpAddress ofGroups(List<Integer> groups) {
    long high = 0;
    long low = 0;
    for (int i = 0; i < GROUPS / 2; i++) {
      high = high << 16 | groups.get(i);
      low = low << 16 | groups.get(GROUPS / 2 + i);
    }
    if (high == 0 && low >>> 32 == MAPPED_PREFIX) {
      return new IpAddress(Family.V4, 0, low & 0xFFFF_FFFFL);
    }
    return new IpAddress(Family.V6, high, low);
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
