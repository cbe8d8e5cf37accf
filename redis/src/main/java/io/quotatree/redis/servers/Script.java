package io.quotatree.redis.servers;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A script as it is loaded into the store, and the digest that it is called by.
 *
 * @param name for people
 * @param text the whole text
 * @param digest SHA-1 of the text, in hexadecimal
 */
public record Script(String name, String text, String digest) {

  /** A script with its digest. */
  public static Script of(String name, String text) {
    return new Script(name, text, sha1(text));
  }

  private static String sha1(String text) {
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      return HexFormat.of().formatHex(sha1.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
