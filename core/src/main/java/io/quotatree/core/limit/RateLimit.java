package io.quotatree.core.limit;

import java.math.BigInteger;
import java.util.Objects;

/**
 * A limit on permits per period, counted by one algorithm.
 *
 * @param algorithm how it counts
 * @param rate permits per period
 * @param burstPermits what a bucket holds when full; for other algorithms the rate's permits
 * @param slices into how many slices a sliding window's period is cut; 1 for other algorithms
 * @param stagger whether a fixed window is moved by an offset of its subject; others are aligned
 */
public record RateLimit(
    AlgorithmName algorithm, Rate rate, long burstPermits, int slices, Stagger stagger) {

  /** The slices of a sliding window that does not say. */
  public static final int DEFAULT_SLICES = 60;

  /** The most slices of a sliding window. */
  public static final int MAX_SLICES = 1_000;

  /** The most permits of a sliding log, which remembers every grant. */
  public static final long MAX_LOG_PERMITS = 100_000;

  /** The longest that a bucket may take to fill: a hundred years. */
  public static final long MAX_FILL_MICROS = 100L * Rate.MAX_PERIOD_MICROS;

  /** Refuses what its algorithm cannot count. */
  public RateLimit {
    Objects.requireNonNull(algorithm, "algorithm");
    Objects.requireNonNull(rate, "rate");
    Objects.requireNonNull(stagger, "stagger");
    if (burstPermits < 1 || burstPermits > Rate.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "a burst of " + burstPermits + "; write 1 to " + Rate.MAX_PERMITS);
    }
    if (!algorithm.isBucket() && burstPermits != rate.permits()) {
      throw new IllegalArgumentException("only token_bucket and leaky_bucket have a burst");
    }
    if (algorithm.isBucket() && fillTooLong(rate, burstPermits)) {
      throw new IllegalArgumentException(
          "a burst of " + burstPermits + " at " + rate.text() + " takes over 100 years to fill");
    }
    if (slices < 1 || slices > MAX_SLICES || slices > rate.periodMicros()) {
      throw new IllegalArgumentException(slices + " slices; write 1 to " + MAX_SLICES);
    }
    if (algorithm == AlgorithmName.SLIDING_LOG && rate.permits() > MAX_LOG_PERMITS) {
      throw new IllegalArgumentException(
          "a sliding_log of "
              + rate.permits()
              + " permits: at most "
              + MAX_LOG_PERMITS
              + ", else write sliding_window");
    }
  }

  /**
   * A limit with its algorithm's defaults: burst n for a token bucket, 1 for a leaky one, 60
   * slices.
   */
  public static RateLimit of(AlgorithmName algorithm, Rate rate) {
    return of(algorithm, rate, defaultBurst(algorithm, rate));
  }

  /** A bucket with a burst of its own and the other defaults. */
  public static RateLimit of(AlgorithmName algorithm, Rate rate, long burstPermits) {
    return new RateLimit(
        algorithm,
        rate,
        burstPermits,
        algorithm == AlgorithmName.SLIDING_WINDOW ? DEFAULT_SLICES : 1,
        algorithm == AlgorithmName.FIXED_WINDOW ? Stagger.STAGGERED : Stagger.ALIGNED);
  }

  /** The burst of a limit that does not say one. */
  public static long defaultBurst(AlgorithmName algorithm, Rate rate) {
    return algorithm == AlgorithmName.LEAKY_BUCKET ? 1 : rate.permits();
  }

  /** Whether a burst takes over a hundred years to fill at this rate. */
  public static boolean fillTooLong(Rate rate, long burstPermits) {
    // b·p > 100 years · n; both sides can pass 63 bits.
    BigInteger filling =
        BigInteger.valueOf(burstPermits).multiply(BigInteger.valueOf(rate.periodMicros()));
    BigInteger longest =
        BigInteger.valueOf(MAX_FILL_MICROS).multiply(BigInteger.valueOf(rate.permits()));
    return filling.compareTo(longest) > 0;
  }

  /**
   * Whether another limit of the same subject would count on the same counter: same algorithm and
   * period.
   */
  public boolean sharesCounterWith(RateLimit other) {
    return algorithm == other.algorithm
        && rate.periodMicros() == other.rate.periodMicros()
        && slices == other.slices
        && stagger == other.stagger;
  }

  /**
   * The tighter of two limits of one counter, in rate and in burst; this one if they are of
   * different counters.
   */
  public RateLimit tightenedBy(RateLimit other) {
    if (!sharesCounterWith(other)) {
      return this;
    }
    Rate slower = rate.permits() <= other.rate.permits() ? rate : other.rate;
    long burst = Math.min(burstPermits, other.burstPermits);
    return new RateLimit(algorithm, slower, burst, slices, stagger);
  }

  /** The most that this limit ever holds: the burst of a bucket, else the permits of a period. */
  public long capacityPermits() {
    return algorithm.isBucket() ? burstPermits : rate.permits();
  }
}
