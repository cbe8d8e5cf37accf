package io.quotatree.testkit.oracle;

import java.util.ArrayList;
import java.util.List;

/** Addresses as subjects write them: IPv4 whole or by /24, IPv6 by /64 or /48. */
final class Addresses {

  private static final int GROUPS = 8;

  private Addresses() {}

  /** {@code 192.0.2.1}, {@code 2001:db8:1:2::/64}; {@code -} where unknown. */
  static String one(String address) {
    if (address.isEmpty() || isV4(address)) {
      return address.isEmpty() ? "-" : address;
    }
    List<Integer> groups = groups(address);
    return isMapped(groups) ? mapped(groups) : prefix(groups, 4) + "/64";
  }

  /** {@code 192.0.2.0/24}, {@code 2001:db8:1::/48}; {@code -} where unknown. */
  static String network(String address) {
    if (address.isEmpty()) {
      return "-";
    }
    if (isV4(address)) {
      return v4Network(address);
    }
    List<Integer> groups = groups(address);
    return isMapped(groups) ? v4Network(mapped(groups)) : prefix(groups, 3) + "/48";
  }

  private static boolean isV4(String address) {
    return address.indexOf(':') < 0;
  }

  private static String v4Network(String address) {
    return address.substring(0, address.lastIndexOf('.')) + ".0/24";
  }

  private static List<Integer> groups(String address) {
    int zone = address.indexOf('%');
    String text = zone < 0 ? address : address.substring(0, zone);
    int gap = text.indexOf("::");
    if (gap < 0) {
      return written(text);
    }
    List<Integer> groups = written(text.substring(0, gap));
    List<Integer> tail = written(text.substring(gap + 2));
    while (groups.size() + tail.size() < GROUPS) {
      groups.add(0);
    }
    groups.addAll(tail);
    return groups;
  }

  private static List<Integer> written(String text) {
    List<Integer> groups = new ArrayList<>();
    for (String part : text.isEmpty() ? new String[0] : text.split(":", -1)) {
      if (part.indexOf('.') < 0) {
        groups.add(Integer.parseInt(part, 16));
      } else {
        String[] bytes = part.split("\\.", -1);
        groups.add(Integer.parseInt(bytes[0]) * 256 + Integer.parseInt(bytes[1]));
        groups.add(Integer.parseInt(bytes[2]) * 256 + Integer.parseInt(bytes[3]));
      }
    }
    return groups;
  }

  private static boolean isMapped(List<Integer> groups) {
    return groups.subList(0, 5).stream().allMatch(group -> group == 0) && groups.get(5) == 0xFFFF;
  }

  private static String mapped(List<Integer> groups) {
    int high = groups.get(6);
    int low = groups.get(7);
    return high / 256 + "." + high % 256 + "." + low / 256 + "." + low % 256;
  }

  /** The first groups, and after them nothing but zeros; the longest run of zeros is left out. */
  private static String prefix(List<Integer> groups, int kept) {
    List<Integer> masked = new ArrayList<>(groups.subList(0, kept));
    while (masked.size() < GROUPS) {
      masked.add(0);
    }
    int from = 0;
    int length = 0;
    for (int start = 0; start < GROUPS; start++) {
      int end = start;
      while (end < GROUPS && masked.get(end) == 0) {
        end++;
      }
      if (end - start > length) {
        from = start;
        length = end - start;
      }
    }
    return hex(masked.subList(0, from)) + "::" + hex(masked.subList(from + length, GROUPS));
  }

  private static String hex(List<Integer> groups) {
    return String.join(":", groups.stream().map(Integer::toHexString).toList());
  }
}
