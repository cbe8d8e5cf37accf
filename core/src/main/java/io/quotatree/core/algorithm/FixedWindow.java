package io.quotatree.core.algorithm;

import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.Stagger;

/**
 * A count that starts anew with each window of the period.
 *
 * <p>Windows are half open and count from the Unix epoch, moved by the subject's offset if they are
 * staggered. The word holds the window's number, the offset and the count:
 *
 * <pre>
 *   63 bits:  | window number, its low bits | offset in ms, 0 to 16 bits | count, 30 bits |
 * </pre>
 *
 * <p>The offset needs more bits the longer the period is, and the number fewer, so that numbers
 * take at least 90 days to come round; they are compared by difference. A word whose number lies
 * ahead of the reader's belongs to a thread with a later time, and is decided in that window: a
 * stale reading never moves a counter back.
 */
public final class FixedWindow extends WordAlgorithm {

  private static final int COUNT_BITS = 30;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;
  private static final long MAX_OFFSET_MICROS = 60_000_000L;
  private static final long OVER = -1;

  private final long permits;
  private final long periodMicros;
  private final Stagger stagger;
  private final int offsetBits;
  private final int numberShift;
  private final long numberMask;
  private final long plausibleLead;

  FixedWindow(Rate rate, Stagger stagger) {
    this.permits = rate.permits();
    this.periodMicros = rate.periodMicros();
    this.stagger = stagger;
    long offsets = Math.min(periodMicros, MAX_OFFSET_MICROS) / 1000;
    this.offsetBits =
        stagger == Stagger.ALIGNED ? 0 : Long.SIZE - Long.numberOfLeadingZeros(offsets - 1);
    this.numberShift = COUNT_BITS + offsetBits;
    this.plausibleLead = STALEST_MICROS / periodMicros + 1;
    this.numberMask = (1L << (Long.SIZE - 1 - numberShift)) - 1;
  }

  @Override
  public boolean onWindowTime() {
    return true;
  }

  @Override
  public long capacityPermits() {
    return permits;
  }

  @Override
  public String shape() {
    return "fixed_window-" + periodMicros / 1000 + (stagger == Stagger.ALIGNED ? "-nostagger" : "");
  }

  @Override
  public String figures() {
    return shape();
  }

  /** Whether windows are moved by an offset of the subject. */
  public boolean isStaggered() {
    return offsetBits > 0;
  }

  /** Below how many milliseconds the offset of a subject must be. */
  public long offsetBoundMillis() {
    return Math.min(periodMicros, MAX_OFFSET_MICROS) / 1000;
  }

  @Override
  public long fresh(long now, int offsetMillis) {
    long offset = isStaggered() ? offsetMillis : 0;
    return ((numberAt(now, offset) & numberMask) << numberShift) | (offset << COUNT_BITS);
  }

  private long offsetOf(long word) {
    return (word >>> COUNT_BITS) & ((1L << offsetBits) - 1);
  }

  private long numberAt(long now, long offsetMillis) {
    return Math.floorDiv(now - offsetMillis * 1000, periodMicros);
  }

  /**
   * How many windows the word's lies ahead of this time's; negative where it is over. A window that
   * lies further ahead than a thread's time can be stale is one that the numbers have come round
   * past: over.
   */
  private long lead(long word, long now) {
    int unused = Long.SIZE - Long.bitCount(numberMask);
    long difference = (word >>> numberShift) - numberAt(now, offsetOf(word));
    long lead = (difference << unused) >> unused;
    return lead > plausibleLead ? OVER : lead;
  }

  private long count(long word, long now) {
    return lead(word, now) < 0 ? 0 : word & COUNT_MASK;
  }

  @Override
  public boolean isFresh(long word, long now) {
    return count(word, now) == 0;
  }

  @Override
  public boolean grants(long word, long now, long costPermits) {
    return costPermits <= permits - count(word, now);
  }

  @Override
  public long charged(long word, long now, long costPermits) {
    return lead(word, now) < 0
        ? fresh(now, (int) offsetOf(word)) + costPermits
        : word + costPermits;
  }

  /** Gives all of it back while the window still is the one that was charged, else nothing. */
  @Override
  public long undone(long word, long chargedWord, long elapsedMicros, long costPermits) {
    boolean sameWindow = (word ^ chargedWord) >>> COUNT_BITS == 0;
    return sameWindow ? word - Math.min(costPermits, word & COUNT_MASK) : word;
  }

  @Override
  public long remaining(long word, long now) {
    return Math.max(0, permits - count(word, now));
  }

  @Override
  public long waitMicros(long word, long now, long costPermits) {
    if (costPermits > permits) {
      return NEVER;
    }
    return grants(word, now, costPermits) ? 0 : toEnd(word, now);
  }

  @Override
  public long resetMicros(long word, long now) {
    return isFresh(word, now) ? 0 : toEnd(word, now);
  }

  private long toEnd(long word, long now) {
    long offset = offsetOf(word);
    long end = (numberAt(now, offset) + lead(word, now) + 1) * periodMicros + offset * 1000;
    return end - now;
  }

  /** The count stays as it is: a lowered window waits, a raised one has the difference more. */
  @Override
  public long adopted(long word, WordAlgorithm writer, long now) {
    return word;
  }
}
