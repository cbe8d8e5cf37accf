package io.quotatree.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
record Script(String name, String text, String digest) {

  private static final String COUNTERS = "counters.lua";
  private static final String FORGETTINGS = "forgettings.lua";

  /**
   * The scripts of a ledger.
   *
   * @param decide asks and charges the limits of a plan
   * @param amend does all else that is done to counters
   */
  record Both(Script decide, Script amend) {

    private static final Both BY_STORES_TIME = of(false);
    private static final Both BY_VIRTUAL_TIME = of(true);

    /** Those that go by a clock: one that could be told the time by anybody would be no clock. */
    static Both by(Clock clock) {
      return clock.isVirtual() ? BY_VIRTUAL_TIME : BY_STORES_TIME;
    }

    private static Both of(boolean isVirtual) {
      String counters = "local VIRTUAL = " + isVirtual + "\n" + read(COUNTERS);
      return new Both(joined("decide", counters), joined("amend", counters + read(FORGETTINGS)));
    }
  }

  /** A script that needs none of the counters' arithmetic. */
  static Script alone(String name) {
    return joined(name, "");
  }

  /** A script that tells everybody to forget. */
  static Script telling(String name) {
    return joined(name, read(FORGETTINGS));
  }

  private static Script joined(String name, String before) {
    String text = before + read(name + ".lua");
    return new Script(name, text, sha1(text));
  }

  private static String read(String resource) {
    try (InputStream in = Script.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(
            resource
                + " is missing beside "
                + Script.class.getName()
                + ": repackage the jar whole");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(resource + " cannot be read", e);
    }
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
