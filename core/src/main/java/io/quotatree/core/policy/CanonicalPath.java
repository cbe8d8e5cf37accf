package io.quotatree.core.policy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The one spelling of a path that quotas are matched by, so that no other spelling escapes them.
 *
 * <p>Escapes are decoded where that is safe, dot segments resolved, doubled slashes made one,
 * {@code ;parameters} and a trailing slash taken off; case counts. What stays escaped (controls,
 * space, {@code % ; ? #} and all beyond ASCII) is escaped in upper-case hex of UTF-8, also where it
 * was sent raw. The canonical form of a canonical path is itself.
 */
public final class CanonicalPath {

  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final String DECODED_NEVER = "%;?#";

  // Sorts of characters, as far as they may stand in a canonical path. Every request asks.
  private static final byte NOT_PLAIN = 0;
  private static final byte PLAIN = 1;
  private static final byte SLASH = 2;
  private static final byte DOT = 3;
  private static final byte[] SORTS = sorts();

  private CanonicalPath() {}

  private static byte[] sorts() {
    byte[] sorts = new byte[0x7f];
    Arrays.fill(sorts, ' ' + 1, sorts.length, PLAIN);
    for (char never : "%;?#\\".toCharArray()) {
      sorts[never] = NOT_PLAIN;
    }
    sorts['/'] = SLASH;
    sorts['.'] = DOT;
    return sorts;
  }

  /**
   * The canonical form of a path.
   *
   * @param path without query
   * @throws BadPathException for %2F, %5C, %00, a backslash, a bad escape, a dot segment that
   *     appears only after decoding or without its parameters, a raw {@code ?} or {@code #}, or a
   *     path that does not begin with a slash
   */
  public static String of(String path) {
    return isCanonical(path) ? path : spell(path);
  }

  /**
   * The path to forward: dot segments and doubled slashes resolved; trailing slash, parameters and
   * encoding kept.
   *
   * @throws BadPathException as {@link #of} does
   */
  public static String forwarded(String path) {
    if (isCanonical(path)) {
      return path;
    }
    spell(path);
    StringBuilder out = new StringBuilder(path.length());
    int start = 0;
    while (start < path.length()) {
      int end = segmentEnd(path, start + 1);
      String segment = path.substring(start + 1, end);
      boolean last = end == path.length();
      boolean kept = append(out, segment, segment);
      if (last && (!kept || segment.isEmpty())) {
        out.append('/');
      }
      start = end;
    }
    return out.isEmpty() ? "/" : out.toString();
  }

  /**
   * Whether the path is plain enough to be its own canonical form; most are, and cost no
   * allocation.
   */
  private static boolean isCanonical(String path) {
    int length = path.length();
    if (length < 2 || path.charAt(0) != '/' || path.charAt(length - 1) == '/') {
      return length == 1 && path.charAt(0) == '/';
    }
    byte before = PLAIN;
    for (int i = 0; i < length; i++) {
      char c = path.charAt(i);
      byte sort = c < SORTS.length ? SORTS[c] : NOT_PLAIN;
      if (sort == NOT_PLAIN || (before == SLASH && sort != PLAIN)) {
        return false;
      }
      before = sort;
    }
    return true;
  }

  private static String spell(String path) {
    if (path.isEmpty() || path.charAt(0) != '/') {
      throw new BadPathException("the path does not begin with /");
    }
    StringBuilder out = new StringBuilder(path.length());
    boolean hollow = false;
    int start = 0;
    while (start < path.length()) {
      int end = segmentEnd(path, start + 1);
      String raw = path.substring(start + 1, end);
      if (hollow && raw.equals("..")) {
        // Upstreams disagree on what it takes away: the parameters, or the segment before them.
        throw new BadPathException("a `..` stands behind a segment of parameters alone");
      }
      hollow |= raw.startsWith(";");
      append(out, raw, decoded(withoutParameters(raw)));
      start = end;
    }
    return out.isEmpty() ? "/" : out.toString();
  }

  private static int segmentEnd(String path, int from) {
    int slash = path.indexOf('/', from);
    return slash < 0 ? path.length() : slash;
  }

  private static String withoutParameters(String segment) {
    int semicolon = segment.indexOf(';');
    return semicolon < 0 ? segment : segment.substring(0, semicolon);
  }

  /**
   * Appends a segment, or resolves it if it is a dot segment or empty; false where it resolved one.
   */
  private static boolean append(StringBuilder out, String raw, String segment) {
    if (isDots(segment)) {
      if (!raw.equals(segment)) {
        throw new BadPathException("a dot segment is hidden in `" + printable(raw) + "`");
      }
      if (segment.length() == 2) {
        out.setLength(Math.max(0, out.lastIndexOf("/")));
      }
      return false;
    }
    if (!segment.isEmpty()) {
      out.append('/').append(segment);
    }
    return true;
  }

  private static boolean isDots(String segment) {
    return segment.equals(".") || segment.equals("..");
  }

  private static String decoded(String segment) {
    StringBuilder out = new StringBuilder(segment.length());
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c == '%') {
        write(out, escape(segment, i));
        i += 2;
      } else {
        requireAllowed(c);
        out.append(c);
      }
    }
    return out.toString();
  }

  private static void requireAllowed(int c) {
    if (c <= ' ' || c >= 0x7f) {
      throw new BadPathException(
          "the path holds a raw character U+%04X, which is sent escaped".formatted(c));
    }
    if (c == '\\' || c == '?' || c == '#') {
      throw new BadPathException("the path holds a raw `" + (char) c + "`");
    }
  }

  private static int escape(String segment, int at) {
    if (at + 2 >= segment.length()
        || !HexFormat.isHexDigit(segment.charAt(at + 1))
        || !HexFormat.isHexDigit(segment.charAt(at + 2))) {
      throw new BadPathException("a % in the path is not followed by two hex digits");
    }
    int value = HexFormat.fromHexDigits(segment, at + 1, at + 3);
    if (value == '/' || value == '\\' || value == 0) {
      throw new BadPathException(
          "the path holds %" + segment.substring(at + 1, at + 3).toUpperCase(Locale.ROOT));
    }
    return value;
  }

  private static void write(StringBuilder out, int value) {
    if (value > ' ' && value < 0x7f && DECODED_NEVER.indexOf(value) < 0) {
      out.append((char) value);
    } else {
      out.append('%').append(HEX.toHexDigits((byte) value));
    }
  }

  /** A text with all that no path may hold raw in escapes of UTF-8. */
  static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (b > ' ' && b < 0x7f) {
        out.append((char) b);
      } else {
        out.append('%').append(HEX.toHexDigits(b));
      }
    }
    return out.toString();
  }

  private static String printable(String segment) {
    return segment.length() > 40 ? segment.substring(0, 40) + "…" : segment;
  }
}
