package io.quotatree.core.limit;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * How long until something is possible: a time, or never.
 *
 * @param micros whole microseconds; {@link Long#MAX_VALUE} for never
 */
public record Wait(long micros) implements Comparable<Wait> {

  /** No wait ends it: a request that costs more than a limit ever holds. */
  public static final Wait NEVER = new Wait(Long.MAX_VALUE);

  /** Refuses a wait into the past. */
  public Wait {
    if (micros < 0) {
      throw new IllegalArgumentException("a wait of " + micros + " microseconds");
    }
  }

  /** Whether no wait is long enough. */
  public boolean never() {
    return micros == Long.MAX_VALUE;
  }

  /** Whole milliseconds, rounded up, so that whoever waits as long does not come early. */
  public long millis() {
    return never() ? Long.MAX_VALUE : micros / 1000 + (micros % 1000 == 0 ? 0 : 1);
  }

  /** Whole seconds, rounded up. */
  public long seconds() {
    return never() ? Long.MAX_VALUE : micros / 1_000_000 + (micros % 1_000_000 == 0 ? 0 : 1);
  }

  /** As a duration; {@code ChronoUnit.FOREVER}'s for never. */
  public Duration duration() {
    return never() ? ChronoUnit.FOREVER.getDuration() : Duration.of(micros, ChronoUnit.MICROS);
  }

  @Override
  public int compareTo(Wait other) {
    return Long.compare(micros, other.micros);
  }
}
