package io.quotatree.core.limit;

import java.util.Objects;

/**
 * Permits per period.
 *
 * @param permits how many, 1 to {@link #MAX_PERMITS}
 * @param periodMicros in how many microseconds, 1 ms to one year of 365 days
 * @param text the rate as its author wrote it, for people to read
 */
public record Rate(long permits, long periodMicros, String text) {

  /** The most permits that a rate may grant in its period, and the most that a request may cost. */
  public static final long MAX_PERMITS = 1_000_000_000L;

  /** One millisecond. */
  public static final long MIN_PERIOD_MICROS = 1_000L;

  /** 366 days, so that a calendar year fits. */
  public static final long MAX_PERIOD_MICROS = 366L * 24 * 60 * 60 * 1_000_000;

  private static final String[] UNITS = {"day", "h", "min", "s", "ms"};
  private static final long[] UNIT_MICROS = {
    86_400_000_000L, 3_600_000_000L, 60_000_000L, 1_000_000L, 1_000L
  };

  /** Refuses what no limit can be. */
  public Rate {
    Objects.requireNonNull(text, "text");
    if (permits < 1 || permits > MAX_PERMITS) {
      throw new IllegalArgumentException(
          "a rate of " + permits + " permits; write 1 to " + MAX_PERMITS + ", or `blocked`");
    }
    if (periodMicros < MIN_PERIOD_MICROS
        || periodMicros > MAX_PERIOD_MICROS
        || periodMicros % MIN_PERIOD_MICROS != 0) {
      throw new IllegalArgumentException(
          "a period of " + periodMicros + " microseconds; write whole milliseconds, 1ms to 1year");
    }
  }

  /** A rate whose text is made from its figures: {@code 10/min}. */
  public static Rate of(long permits, long periodMicros) {
    return new Rate(permits, periodMicros, permits + "/" + perText(periodMicros));
  }

  /** The period with its number, in the largest unit that divides it: {@code 1min}, {@code 90s}. */
  public String periodText() {
    int unit = unitOf(periodMicros);
    return periodMicros / UNIT_MICROS[unit] + UNITS[unit];
  }

  private static String perText(long periodMicros) {
    int unit = unitOf(periodMicros);
    long count = periodMicros / UNIT_MICROS[unit];
    return count == 1 ? UNITS[unit] : count + UNITS[unit];
  }

  private static int unitOf(long periodMicros) {
    for (int i = 0; i < UNITS.length; i++) {
      if (periodMicros % UNIT_MICROS[i] == 0) {
        return i;
      }
    }
    return UNITS.length - 1;
  }
}
