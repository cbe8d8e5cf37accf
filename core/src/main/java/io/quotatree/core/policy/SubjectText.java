package io.quotatree.core.policy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** How names are written in subjects. */
public final class SubjectText {

  /** The user in whose name a caller's anonymous users are counted together. */
  public static final String ANONYMOUS_POOL = UserKind.POOL_TEXT;

  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final String PLAIN_MARKS = "._-@+";
  private static final int SESSION_HEX = 16;

  private SubjectText() {}

  /** A caller's or user's name with foreign bytes written %XX, so that no name can be another's. */
  public static String escaped(String name) {
    if (isPlain(name)) {
      return name;
    }
    StringBuilder out = new StringBuilder(name.length() + 8);
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      if (isPlain((char) (b & 0xff))) {
        out.append((char) b);
      } else {
        out.append('%').append(HEX.toHexDigits(b));
      }
    }
    return out.toString();
  }

  /**
   * A user's name; one that is called as the pool is written otherwise, so that nobody can be it.
   */
  public static String escapedUser(String name) {
    return name.equals(UserKind.POOL_TEXT) ? "%61" + name.substring(1) : escaped(name);
  }

  /** The name that a text stands for: %XX is a byte of it, all else stands for itself. */
  public static String plain(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); ) {
      boolean escape =
          text.charAt(i) == '%'
              && i + 2 < text.length()
              && HexFormat.isHexDigit(text.charAt(i + 1))
              && HexFormat.isHexDigit(text.charAt(i + 2));
      int end = escape ? i + 3 : text.offsetByCodePoints(i, 1);
      if (escape) {
        bytes.write(HexFormat.fromHexDigits(text, i + 1, end));
      } else {
        bytes.writeBytes(text.substring(i, end).getBytes(StandardCharsets.UTF_8));
      }
      i = end;
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** A name of the file's as a part of a key: what divides and groups parts is written %XX. */
  static String keyPart(String name) {
    StringBuilder out = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == ':' || c == '{' || c == '}' || c == '%') {
        out.append('%').append(HEX.toHexDigits((byte) c));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static boolean isPlain(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (!isPlain(name.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlain(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || PLAIN_MARKS.indexOf(c) >= 0;
  }

  /** What stands for a session: a part of its hash, since the session itself is a secret. */
  static String session(String session) {
    return HexFormat.of().formatHex(sha256(session)).substring(0, SESSION_HEX);
  }

  /**
   * By how much a subject's fixed windows are moved: below the bound, the same in every process.
   */
  static int offsetMillis(String layer, String subject, long boundMillis) {
    byte[] hash = sha256(layer + '\0' + subject);
    long first = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      first = (first << Byte.SIZE) | (hash[i] & 0xff);
    }
    return (int) Long.remainderUnsigned(first, boundMillis);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
