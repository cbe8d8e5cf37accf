package io.quotatree.testkit;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Stagger;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Limits in few words, for tests: {@code tokenBucket("10/min")}. */
public final class Limits {

  private static final Pattern RATE = Pattern.compile("(\\d+)/(\\d*)(ms|s|min|h|day|year)");

  private static final Map<String, Long> UNIT_MICROS =
      Map.of(
          "ms", 1_000L,
          "s", 1_000_000L,
          "min", 60_000_000L,
          "h", 3_600_000_000L,
          "day", 86_400_000_000L,
          "year", 365 * 86_400_000_000L);

  private Limits() {}

  /**
   * A rate as quota files write it, without its short forms.
   *
   * @param text {@code 10/min} or {@code 10/90s}
   * @throws IllegalArgumentException if it is written otherwise
   */
  public static Rate rate(String text) {
    Matcher matcher = RATE.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("`" + text + "` is no rate: write 10/min or 10/90s");
    }
    long count = matcher.group(2).isEmpty() ? 1 : Long.parseLong(matcher.group(2));
    long unitMicros = UNIT_MICROS.getOrDefault(matcher.group(3), 1L);
    return new Rate(Long.parseLong(matcher.group(1)), count * unitMicros, text);
  }

  /** A token bucket that holds the permits of one period. */
  public static RateLimit tokenBucket(String rate) {
    return RateLimit.of(AlgorithmName.TOKEN_BUCKET, rate(rate));
  }

  /** A token bucket with a burst of its own. */
  public static RateLimit tokenBucket(String rate, long burstPermits) {
    return RateLimit.of(AlgorithmName.TOKEN_BUCKET, rate(rate), burstPermits);
  }

  /** A leaky bucket of burst 1: constant spacing. */
  public static RateLimit leakyBucket(String rate) {
    return RateLimit.of(AlgorithmName.LEAKY_BUCKET, rate(rate));
  }

  /** A leaky bucket with a burst of its own. */
  public static RateLimit leakyBucket(String rate, long burstPermits) {
    return RateLimit.of(AlgorithmName.LEAKY_BUCKET, rate(rate), burstPermits);
  }

  /** A fixed window that begins at whole periods since the Unix epoch. */
  public static RateLimit fixedWindow(String rate) {
    return new RateLimit(
        AlgorithmName.FIXED_WINDOW, rate(rate), rate(rate).permits(), 1, Stagger.ALIGNED);
  }

  /** A fixed window that begins where its subject's offset says. */
  public static RateLimit staggeredWindow(String rate) {
    return RateLimit.of(AlgorithmName.FIXED_WINDOW, rate(rate));
  }

  /** A sliding window of 60 slices. */
  public static RateLimit slidingWindow(String rate) {
    return RateLimit.of(AlgorithmName.SLIDING_WINDOW, rate(rate));
  }

  /** A sliding window with slices of its own. */
  public static RateLimit slidingWindow(String rate, int slices) {
    return new RateLimit(
        AlgorithmName.SLIDING_WINDOW, rate(rate), rate(rate).permits(), slices, Stagger.ALIGNED);
  }

  /** A log of every grant. */
  public static RateLimit slidingLog(String rate) {
    return RateLimit.of(AlgorithmName.SLIDING_LOG, rate(rate));
  }
}
