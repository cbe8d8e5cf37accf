package io.quotatree.core.algorithm;

import io.quotatree.core.limit.RateLimit;

/**
 * How one limit counts.
 *
 * <p>An algorithm is a pure function on the machine words that make up a counter's state. It holds
 * the limit's figures and nothing else; whoever calls it holds the state, and tells the time in
 * whole microseconds of ledger time: monotonic for buckets, logs and permits in flight, window time
 * for windows and slices.
 *
 * <p>Algorithms whose state is one word are {@link WordAlgorithm}s; {@link SlidingWindow} and
 * {@link SlidingLog} need several.
 */
public sealed interface Algorithm permits WordAlgorithm, SlidingWindow, SlidingLog {

  /** A wait that never ends. */
  long NEVER = Long.MAX_VALUE;

  /** The mark of a counter of several words in which nothing is used. */
  long UNUSED = Long.MIN_VALUE;

  /** Whether it runs on window time rather than on monotonic time. */
  boolean onWindowTime();

  /** The most that a counter ever holds. */
  long capacityPermits();

  /**
   * Microseconds until, left alone, nothing is used of a counter any more, rounded up.
   *
   * @param mark a counter's word; where it has several, what of it leaves last
   */
  long resetMicros(long mark, long now);

  /**
   * What tells this algorithm's counters from those of others for the same subject. A limit whose
   * figures change but whose shape does not goes on with the counters it has.
   */
  String shape();

  /** The algorithm of a limit per time. */
  static Algorithm of(RateLimit limit) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> Bucket.of(limit);
      case FIXED_WINDOW -> new FixedWindow(limit.rate(), limit.stagger());
      case SLIDING_WINDOW -> new SlidingWindow(limit.rate(), limit.slices());
      case SLIDING_LOG -> new SlidingLog(limit.rate());
    };
  }
}
