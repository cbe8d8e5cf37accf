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
 *   63 bits:  | wide | window number, its low bits | offset in ms, 0 to 16 bits | count, 20 or 30 bits |
 * </pre>
 *
 * <p>A count below a million leaves the number so many bits that it takes over a century to come
 * round; a larger one needs ten bits more, and such words come round after a month or more, which a
 * ledger's tidying forestalls. Numbers are compared by difference. A word whose number lies ahead
 * of the reader's belongs to a thread with a later time, and is decided in that window: a stale
 * reading never moves a counter back. One that lies further ahead than a thread can be late is one
 * that the numbers have come round past: over.
 */
public final class FixedWindow extends WordAlgorithm {

  private static final int NARROW_BITS = 20;
  private static final int WIDE_BITS = 30;
  private static final long WIDE = 1L << 62;
  private static final int BELOW_FLAG = 62;
  private static final long MAX_OFFSET_MICROS = 60_000_000L;
  private static final long OVER = -1;

  /** Debts beyond it are forgotten: no limit has as many permits. */
  private static final long MAX_COUNT = (1L << WIDE_BITS) - 1;

  private final long permits;
  private final long periodMicros;
  private final Stagger stagger;
  private final int offsetBits;
  private final long plausibleLead;

  FixedWindow(Rate rate, Stagger stagger) {
    super(true);
    this.permits = rate.permits();
    this.periodMicros = rate.periodMicros();
    this.stagger = stagger;
    this.offsetBits =
        stagger == Stagger.ALIGNED
            ? 0
            : Long.SIZE - Long.numberOfLeadingZeros(offsetBoundMillis() - 1);
    this.plausibleLead = STALEST_MICROS / periodMicros + 1;
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
    return word(numberAt(now, offset), offset, 0);
  }

  private long word(long number, long offset, long count) {
    boolean wide = count >= 1L << NARROW_BITS;
    int countBits = wide ? WIDE_BITS : NARROW_BITS;
    int shift = countBits + offsetBits;
    long numberMask = (1L << (BELOW_FLAG - shift)) - 1;
    return (wide ? WIDE : 0) | ((number & numberMask) << shift) | (offset << countBits) | count;
  }

  private static int countBits(long word) {
    return (word & WIDE) == 0 ? NARROW_BITS : WIDE_BITS;
  }

  private static long rawCount(long word) {
    return word & ((1L << countBits(word)) - 1);
  }

  private long offsetOf(long word) {
    return (word >>> countBits(word)) & ((1L << offsetBits) - 1);
  }

  private long numberAt(long now, long offsetMillis) {
    return Math.floorDiv(now - offsetMillis * 1000, periodMicros);
  }

  /** A number, less the word's, as far as the word's bits tell. */
  private long behind(long word, long number) {
    int shift = countBits(word) + offsetBits;
    // The flag and the bits above it fall off at the left, then the sign is drawn through.
    int unused = Long.SIZE - (BELOW_FLAG - shift);
    return ((number - (word >>> shift)) << unused) >> unused;
  }

  /** How many windows the word's lies ahead of the given one; negative where it is over. */
  private long lead(long word, long number) {
    long lead = -behind(word, number);
    return lead > plausibleLead ? OVER : lead;
  }

  private long count(long word, long now) {
    return lead(word, numberAt(now, offsetOf(word))) < 0 ? 0 : rawCount(word);
  }

  @Override
  public boolean isFresh(long word, long now) {
    return count(word, now) == 0;
  }

  @Override
  public long charged(long word, long now, long costPermits) {
    return charged(word, now, costPermits, permits);
  }

  private long charged(long word, long now, long costPermits, long mostPermits) {
    long offset = offsetOf(word);
    long number = numberAt(now, offset);
    long lead = lead(word, number);
    long count = lead < 0 ? 0 : rawCount(word);
    return costPermits <= mostPermits - count
        ? word(number + Math.max(0, lead), offset, count + costPermits)
        : REFUSED;
  }

  /** Gives all of it back while the window still is the one that was charged, else nothing. */
  @Override
  public long undone(long word, long chargedWord, long elapsedMicros, long costPermits) {
    long chargedNumber = chargedWord >>> (countBits(chargedWord) + offsetBits);
    long number = word >>> (countBits(word) + offsetBits);
    boolean sameWindow = behind(word, chargedNumber) == 0 || behind(chargedWord, number) == 0;
    return sameWindow ? word - Math.min(costPermits, rawCount(word)) : word;
  }

  @Override
  public long refunded(long word, long chargedWord, long now, long costPermits) {
    return undone(word, chargedWord, 0, costPermits);
  }

  @Override
  public long owed(long word, long now, long costPermits) {
    return charged(word, now, Math.min(costPermits, MAX_COUNT - count(word, now)), MAX_COUNT);
  }

  @Override
  public long emptied(long word, long now) {
    long offset = offsetOf(word);
    long number = numberAt(now, offset);
    return word(number + Math.max(0, lead(word, number)), offset, 0);
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
    long number = numberAt(now, offset);
    long end = (number + lead(word, number) + 1) * periodMicros + offset * 1000;
    return end - now;
  }

  /** The count stays as it is: a lowered window waits, a raised one has the difference more. */
  @Override
  public long adopted(long word, WordAlgorithm writer, long now) {
    return word;
  }
}
