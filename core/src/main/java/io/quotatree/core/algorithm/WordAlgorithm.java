package io.quotatree.core.algorithm;

/**
 * An algorithm whose whole state is one word of 63 bits, never negative, so that one
 * compare-and-swap charges it and a negative word is free to mean something else.
 *
 * <p>A word in which nothing is used any more is <em>fresh</em>: it decides as a new counter would,
 * so it may be dropped at any time.
 */
public abstract sealed class WordAlgorithm implements Algorithm
    permits Bucket, FixedWindow, InFlight {

  /** What {@link #charged} answers in place of a word, none of which is negative. */
  public static final long REFUSED = -1;

  /** How late a thread may come with a time that it read: ten minutes. */
  static final long STALEST_MICROS = 600_000_000L;

  /** The bits of a word. */
  static final long WORD_MASK = Long.MAX_VALUE;

  /** A field, since every decision asks each of its limits, of several kinds in turn. */
  private final boolean onWindowTime;

  WordAlgorithm(boolean onWindowTime) {
    this.onWindowTime = onWindowTime;
  }

  @Override
  public final boolean onWindowTime() {
    return onWindowTime;
  }

  /**
   * The word of a new counter.
   *
   * @param now the time
   * @param offsetMillis by how much the subject's windows are staggered; ignored by others
   */
  public abstract long fresh(long now, int offsetMillis);

  /** Whether nothing is used in this word at this time. */
  public abstract boolean isFresh(long word, long now);

  /**
   * Whether the word grants a cost.
   *
   * @param costPermits 1 to 10^9
   */
  public final boolean grants(long word, long now, long costPermits) {
    return charged(word, now, costPermits) != REFUSED;
  }

  /**
   * The word after a charge; {@link #REFUSED} where the word does not grant the cost.
   *
   * @param costPermits 1 to 10^9
   */
  public abstract long charged(long word, long now, long costPermits);

  /**
   * The word after taking back a charge, whatever others charged since.
   *
   * @param word the word now
   * @param chargedWord the word that the charge left
   * @param elapsedMicros time since the charge, at least what passed on any thread that has used
   *     the word
   * @param costPermits what was charged
   */
  public abstract long undone(long word, long chargedWord, long elapsedMicros, long costPermits);

  /**
   * The word after giving back a charge that was made in earnest, whatever others charged since:
   * only while it still counts, and never beyond nothing being used.
   *
   * @param word the word now
   * @param chargedWord the word that the charge left
   * @param now the time, read after the word was
   * @param costPermits what to give back, 0 to 10^9
   */
  public abstract long refunded(long word, long chargedWord, long now, long costPermits);

  /**
   * The word after taking a cost that nobody asks for a grant: past the limit if need be, as a
   * debt.
   *
   * @param costPermits 0 to 10^9
   */
  public abstract long owed(long word, long now, long costPermits);

  /** The word of the same counter with nothing used in it. */
  public abstract long emptied(long word, long now);

  /** Permits left, rounded down, at least 0. */
  public abstract long remaining(long word, long now);

  /** Microseconds until the cost would be granted, rounded up; {@link #NEVER} if it cannot be. */
  public abstract long waitMicros(long word, long now, long costPermits);

  /**
   * What tells the figures that a word is written in. Words of one shape and different figures are
   * turned into one another by {@link #adopted}; an algorithm whose words do not depend on its
   * figures has the same text for all.
   */
  public abstract String figures();

  /**
   * The word, under this algorithm, of a counter that another of the same shape wrote: what was
   * used stays used.
   */
  public abstract long adopted(long word, WordAlgorithm writer, long now);

  /**
   * Microseconds until this would grant the cost on a word that another of the same shape wrote and
   * that stays in its figures until then, rounded up; {@link #NEVER} if it cannot be granted.
   */
  public long waitMicros(long word, WordAlgorithm writer, long now, long costPermits) {
    return waitMicros(adopted(word, writer, now), now, costPermits);
  }
}
