package io.quotatree.core.limit;

import java.util.Locale;

/**
 * The ways a limit can count; what each does is told by the class of that name in {@code
 * algorithm}.
 */
public enum AlgorithmName {
  /** Tokens that refill continuously, up to a burst. */
  TOKEN_BUCKET,
  /** Constant spacing: a bucket whose burst is one turn unless said. */
  LEAKY_BUCKET,
  /** A count that starts anew with each window of the period. */
  FIXED_WINDOW,
  /** Counts in equal slices of the period; never more than the permits in any period. */
  SLIDING_WINDOW,
  /** The time and cost of every grant in the last period; exact. */
  SLIDING_LOG;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** The algorithm as it is written in quota files: {@code token_bucket}, say. */
  public String word() {
    return word;
  }

  /** Whether permits come back continuously and may be saved up to a burst. */
  public boolean isBucket() {
    return this == TOKEN_BUCKET || this == LEAKY_BUCKET;
  }
}
