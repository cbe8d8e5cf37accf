package io.quotatree.testkit.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.quotatree.core.limit.Layer;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/** How subjects are written, and what is worked out from that. */
final class Names {

  private static final String SAFE =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-@+";
  private static final long LONGEST_STAGGER_MILLIS = 60_000;

  private Names() {}

  /** A caller's or user's name in which every other byte is %XX. */
  static String escaped(String name) {
    StringBuilder written = new StringBuilder();
    for (byte b : name.getBytes(UTF_8)) {
      char c = (char) (b & 0xFF);
      if (SAFE.indexOf(c) >= 0) {
        written.append(c);
      } else {
        written.append(String.format(Locale.ROOT, "%%%02X", (int) c));
      }
    }
    return written.toString();
  }

  /** A user's name; a user called anonymous is not the pool of that name. */
  static String user(String name) {
    return name.equals("anonymous") ? "%61nonymous" : escaped(name);
  }

  /** The first 16 hexadecimal digits of a session's SHA-256. */
  static String session(String session) {
    return HexFormat.of().formatHex(sha256(session.getBytes(UTF_8)), 0, 8);
  }

  /** By how much a subject's fixed windows are moved. */
  static long staggerMicros(Layer layer, String subject, long periodMicros) {
    byte[] hash = sha256((layer.word() + '\0' + subject).getBytes(UTF_8));
    BigInteger first = new BigInteger(1, Arrays.copyOf(hash, 8));
    long modulus = Math.min(periodMicros / 1000, LONGEST_STAGGER_MILLIS);
    return first.mod(BigInteger.valueOf(modulus)).longValueExact() * 1000;
  }

  private static byte[] sha256(byte[] text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
