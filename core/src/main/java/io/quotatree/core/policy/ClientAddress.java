package io.quotatree.core.policy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Client addresses as subjects: IPv6 by its /64, since who has one address has them all; IPv4 in
 * IPv6 clothing is IPv4.
 */
public final class ClientAddress {

  /** What stands for an address that is unknown. */
  public static final String UNKNOWN = "-";

  private static final int IPV4_BYTES = 4;
  private static final int IPV6_GROUPS = 8;

  private ClientAddress() {}

  /**
   * The text by which an address is counted: {@code 192.0.2.1}, {@code 2001:db8:1:2::/64}, or
   * {@link #UNKNOWN} for what is no address. Names are never looked up.
   */
  public static String counted(String address) {
    byte @Nullable [] bytes = parsed(address);
    if (bytes == null) {
      return UNKNOWN;
    }
    return bytes.length == IPV4_BYTES ? dotted(bytes, IPV4_BYTES) : prefix(bytes, 4);
  }

  /**
   * The network of an address: {@code 192.0.2.0/24}, {@code 2001:db8:1::/48}, or {@link #UNKNOWN}.
   */
  public static String network(String address) {
    byte @Nullable [] bytes = parsed(address);
    if (bytes == null) {
      return UNKNOWN;
    }
    return bytes.length == IPV4_BYTES ? dotted(bytes, 3) + "/24" : prefix(bytes, 3);
  }

  /**
   * The bytes of an address, 4 or 16; null for what is none.
   *
   * @param address a literal, an IPv6 one with or without zone or brackets
   */
  public static byte @Nullable [] parsed(String address) {
    if (address.indexOf(':') < 0) {
      return parsedV4(address);
    }
    String literal = address;
    if (literal.startsWith("[") && literal.endsWith("]")) {
      literal = literal.substring(1, literal.length() - 1);
    }
    int zone = literal.indexOf('%');
    literal = zone < 0 ? literal : literal.substring(0, zone);
    if (!looksLikeV6(literal)) {
      return null;
    }
    try {
      // A text with a colon is parsed as a literal and never looked up; ::ffff:1.2.3.4 becomes
      // IPv4.
      return InetAddress.getByName(literal).getAddress();
    } catch (UnknownHostException e) {
      return null;
    }
  }

  private static boolean looksLikeV6(String literal) {
    if (literal.length() < 2 || literal.length() > 45 || literal.indexOf(':') < 0) {
      return false;
    }
    for (int i = 0; i < literal.length(); i++) {
      char c = literal.charAt(i);
      if (c != ':' && c != '.' && Character.digit(c, 16) < 0) {
        return false;
      }
    }
    return true;
  }

  private static byte @Nullable [] parsedV4(String address) {
    byte[] bytes = new byte[IPV4_BYTES];
    int part = 0;
    int value = -1;
    for (int i = 0; i <= address.length(); i++) {
      char c = i < address.length() ? address.charAt(i) : '.';
      if (c >= '0' && c <= '9' && value != 0) {
        value = Math.max(value, 0) * 10 + c - '0';
      } else if (c != '.' || value < 0 || part == IPV4_BYTES) {
        return null;
      } else {
        bytes[part++] = (byte) value;
        value = -1;
      }
      if (value > 255) {
        return null;
      }
    }
    return part == IPV4_BYTES ? bytes : null;
  }

  private static String dotted(byte[] bytes, int kept) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < IPV4_BYTES; i++) {
      out.append(i == 0 ? "" : ".").append(i < kept ? bytes[i] & 0xff : 0);
    }
    return out.toString();
  }

  /** The first groups of an IPv6 address in the form of RFC 5952, the rest being zero. */
  private static String prefix(byte[] bytes, int groups) {
    int[] values = new int[IPV6_GROUPS];
    for (int i = 0; i < groups; i++) {
      values[i] = ((bytes[2 * i] & 0xff) << 8) | (bytes[2 * i + 1] & 0xff);
    }
    // The zeros at the end are the longest run: no other can have more than the kept groups less
    // one.
    int end = groups;
    while (end > 0 && values[end - 1] == 0) {
      end--;
    }
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < end; i++) {
      out.append(i == 0 ? "" : ":").append(Integer.toHexString(values[i]));
    }
    return out.append("::/").append(groups * 16).toString();
  }
}
