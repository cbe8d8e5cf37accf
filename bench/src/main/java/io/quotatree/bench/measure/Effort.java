package io.quotatree.bench.measure;

/**
 * How much is measured.
 *
 * @param rounds turns that each contender has for each number of threads
 * @param requests requests prepared, a power of two
 * @param warming operations of each thread before anything is measured
 * @param subjects users of what is measured by the million
 * @param seed of requests and of the order of turns
 */
public record Effort(int rounds, int requests, long warming, int subjects, long seed) {

  /** The length of a turn. */
  public static final long TURN_MILLIS = 200;

  /** Rounds that are run and thrown away. */
  public static final int DISCARDED = 2;

  /** Enough to see where things stand. */
  public static Effort quick(long seed) {
    return new Effort(9, 1 << 20, 300_000, 2_000_000, seed);
  }

  /** This with another number of rounds. */
  public Effort withRounds(int changed) {
    return new Effort(changed, requests, warming, subjects, seed);
  }

  /** Enough to be quoted. */
  public static Effort full(long seed) {
    return new Effort(31, 1 << 21, 1_000_000, 10_000_000, seed);
  }
}
