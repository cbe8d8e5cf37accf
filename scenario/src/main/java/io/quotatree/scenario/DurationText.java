package io.quotatree.scenario;

import java.time.Duration;

/** Durations as scenarios write them: a whole number of the largest unit that divides them. */
final class DurationText {

  private static final String[] UNITS = {"day", "h", "min", "s", "ms", "us"};
  private static final long[] UNIT_MICROS = {
    86_400_000_000L, 3_600_000_000L, 60_000_000L, 1_000_000L, 1_000L, 1L
  };

  private DurationText() {}

  static String of(Duration duration) {
    long micros = duration.toNanos() / 1000;
    return micros < 0 ? "-" + ofMicros(-micros) : ofMicros(micros);
  }

  static String ofMillis(long millis) {
    return ofMicros(Math.multiplyExact(millis, 1000L));
  }

  private static String ofMicros(long micros) {
    if (micros == 0) {
      return "0s";
    }
    for (int i = 0; ; i++) {
      if (micros % UNIT_MICROS[i] == 0) {
        return micros / UNIT_MICROS[i] + UNITS[i];
      }
    }
  }
}
