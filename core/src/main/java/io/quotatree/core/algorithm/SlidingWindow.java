package io.quotatree.core.algorithm;

import io.quotatree.core.limit.Rate;

/**
 * Counts in equal slices of the period; never more than the permits in any period, wherever it
 * starts.
 *
 * <p>A slice's number is ⌊t·slices/p⌋, exactly. At time t in slice k, every slice that overlaps
 * (t−p, t] counts in full: those from k−slices to k. So the oldest counts for up to one slice too
 * long, and a request may be refused early by at most one slice, but never granted early.
 *
 * <p>This class knows the arithmetic of slices; their counts are held, and charged in one step, by
 * the ledger.
 */
public final class SlidingWindow implements Algorithm {

  private final long permits;
  private final long periodMicros;
  private final int slices;

  SlidingWindow(Rate rate, int slices) {
    this.permits = rate.permits();
    this.periodMicros = rate.periodMicros();
    this.slices = slices;
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
    return "sliding_window-" + periodMicros / 1000 + "-" + slices;
  }

  /**
   * Until a slice no longer counts.
   *
   * @param slice the last in which anything is used
   */
  @Override
  public long resetMicros(long slice, long now) {
    return slice == UNUSED ? 0 : toLeaving(slice, now);
  }

  /** How many slices make a period. */
  public int slices() {
    return slices;
  }

  /** The number of the slice that holds a time. */
  public long sliceAt(long now) {
    return Math.floorDiv(now * slices, periodMicros);
  }

  /** The first slice that still counts when the given one is current. */
  public long oldestAt(long slice) {
    return slice - slices;
  }

  /** Microseconds from now until a slice no longer counts: its end, rounded up, plus the period. */
  public long toLeaving(long slice, long now) {
    return -Math.floorDiv(-(slice + 1) * periodMicros, (long) slices) + periodMicros - now;
  }
}
