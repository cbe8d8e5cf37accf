package io.quotatree.core.memory;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.algorithm.SlidingWindow;

/**
 * A counter of more than one word: an object of its own.
 *
 * <p>A cell that no longer matters is <em>retired</em>, once and for ever, before its table lets go
 * of it; whoever still holds it is told so by {@link #charge} and looks for the key's new cell.
 */
abstract sealed class Cell extends SpinLock permits SlidingCell, LogCell {

  /** Answers of {@link #charge} that are no receipts. */
  static final long REFUSED = -1;

  static final long RETIRED = -2;

  final long key1;
  final long key2;
  final int owner;

  /** What made it, by which it can be told when the cell no longer matters. */
  final Algorithm madeBy;

  Cell(Algorithm madeBy, long key1, long key2, int owner) {
    this.madeBy = madeBy;
    this.key1 = key1;
    this.key2 = key2;
    this.owner = owner;
  }

  static Cell of(Algorithm algorithm, long now, long key1, long key2, int owner) {
    return algorithm instanceof SlidingWindow window
        ? new SlidingCell(window, now, key1, key2, owner)
        : new LogCell(algorithm, now, key1, key2, owner);
  }

  /** What a look at a cell found. Reused; not for several threads. */
  static final class Look {
    long usedPermits;
    long waitMicros;

    /** What leaves last; see {@link Algorithm#resetMicros}. */
    long mark;
  }

  /**
   * Looks at a cell without changing what it counts.
   *
   * @param costPermits what {@link Look#waitMicros} is for: 0 if it would be granted now
   */
  abstract void look(Algorithm algorithm, long now, long costPermits, Look look);

  /**
   * Charges a cost if it is granted.
   *
   * @return a receipt for {@link #undo}, which is a mark as well: 0 or more; or {@link #REFUSED},
   *     or {@link #RETIRED}
   */
  abstract long charge(Algorithm algorithm, long now, long costPermits);

  /**
   * Takes a cost that nobody asks for a grant, past the limit if need be.
   *
   * @return false where the cell is retired; nothing was taken then
   */
  abstract boolean owe(Algorithm algorithm, long now, long costPermits);

  /** Takes a charge back, while it still counts. */
  abstract void undo(long receipt, long costPermits);

  abstract boolean isRetired();

  /** Retires the cell, whatever it counts; tells whether anything was used in it. */
  abstract boolean retireNow(Algorithm algorithm, long now);

  /** Retires the cell if nothing is used in it any more. */
  abstract boolean retire(long now);
}
