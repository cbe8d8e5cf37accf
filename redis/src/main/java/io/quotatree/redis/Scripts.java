package io.quotatree.redis;

import io.quotatree.redis.servers.Script;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The scripts of a ledger.
 *
 * @param decide asks and charges the limits of a plan
 * @param amend does all else that is done to counters
 */
record Scripts(Script decide, Script amend) {

  private static final String COUNTERS = "counters.lua";
  private static final String FORGETTINGS = "forgettings.lua";
  private static final Scripts BY_STORES_TIME = of(false);
  private static final Scripts BY_VIRTUAL_TIME = of(true);

  /** Those that go by a clock: one that could be told the time by anybody would be no clock. */
  static Scripts by(Clock clock) {
    return clock.isVirtual() ? BY_VIRTUAL_TIME : BY_STORES_TIME;
  }

  private static Scripts of(boolean isVirtual) {
    String counters = "local VIRTUAL = " + isVirtual + "\n" + read(COUNTERS);
    return new Scripts(joined("decide", counters), joined("amend", counters + read(FORGETTINGS)));
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
    return Script.of(name, before + read(name + ".lua"));
  }

  private static String read(String resource) {
    try (InputStream in = Scripts.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(
            resource
                + " is missing beside "
                + Scripts.class.getName()
                + ": repackage the jar whole");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(resource + " cannot be read", e);
    }
  }
}
