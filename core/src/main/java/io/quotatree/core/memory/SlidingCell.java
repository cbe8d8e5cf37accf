package io.quotatree.core.memory;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.algorithm.SlidingWindow;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The slices of a sliding window, charged without a lock.
 *
 * <p>The head is the current slice: its number's low bits and its count share one word, and a
 * charge is one compare-and-swap of that word. The slices before it are settled: nothing is added
 * to them any more, so their sum, once read, can only go down (by an undo), and a swap of the head
 * proves it still is what the sum was read for.
 *
 * <pre>
 *   head:   | frozen | 33 bits: slice | 30 bits: count |
 *   number: the head's slice, whole; while the head is frozen, the slice that will follow
 *   ring:   by slice modulo its length, each   | 33 bits: slice | 30 bits: count |
 * </pre>
 *
 * <p>Moving on to a later slice takes several words, so it is done in steps that any thread can
 * complete: freeze the head (charges stop, its count is final); name the slice to follow, first
 * comer wins; settle the head's count in the ring and empty the skipped slices, each by a swap from
 * an older slice's entry, so that who comes late changes nothing; unfreeze the head as the new
 * slice with count 0. A thread that stalls in the middle holds nobody up.
 *
 * <p>The sum of the settled slices is kept in a word of its own, for the slice it was made for, so
 * that most charges read three words and not sixty. It is only a memory: an undo in a settled slice
 * counts up the undos and wipes it; who writes a sum and finds that undos were counted meanwhile
 * wipes it too.
 *
 * <p>A thread with a stale time decides in the head's slice, and never moves it back.
 */
final class SlidingCell extends Cell {

  private static final int HEAD = 0;
  private static final int NUMBER = 1;
  private static final int SUM = 2;
  private static final int UNDOS = 3;
  private static final int RING = 4;

  private static final int COUNT_BITS = 30;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;
  private static final long SLICE_MASK = (1L << 33) - 1;
  private static final long FROZEN = Long.MIN_VALUE;

  /** Debts of a slice beyond it are forgotten: no limit has as many permits. */
  private static final long MAX_COUNT = COUNT_MASK - 1;

  /** No count has all its bits set. */
  private static final long RETIRED_HEAD = -1;

  private static final long NO_SUM = -1;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final int ring;

  SlidingCell(SlidingWindow window, long now, long key1, long key2, int owner) {
    super(window, key1, key2, owner);
    ring = window.slices() + 2;
    words = new long[RING + ring];
    long slice = window.sliceAt(now);
    words[HEAD] = entry(slice, 0);
    words[NUMBER] = slice;
    words[SUM] = NO_SUM;
    // Entries of a slice long past: never taken for one that counts.
    for (int i = 0; i < ring; i++) {
      words[RING + i] = entry(slice - 2L * ring, 0);
    }
  }

  private static long entry(long slice, long count) {
    return ((slice & SLICE_MASK) << COUNT_BITS) | count;
  }

  private long acquire(int at) {
    return (long) WORD.getAcquire(words, at);
  }

  private boolean swap(int at, long expected, long word) {
    return WORD.compareAndSet(words, at, expected, word);
  }

  private int ringAt(long slice) {
    return RING + (int) Math.floorMod(slice, (long) ring);
  }

  /**
   * The whole number of a head's slice, given a number read after it that is at most a step ahead.
   */
  private static long sliceOf(long head, long number) {
    return number - ((number - (head >>> COUNT_BITS)) & SLICE_MASK);
  }

  private static boolean isOf(long entry, long slice) {
    return ((entry >>> COUNT_BITS) & SLICE_MASK) == (slice & SLICE_MASK);
  }

  private long count(long slice) {
    long entry = acquire(ringAt(slice));
    return isOf(entry, slice) ? entry & COUNT_MASK : 0;
  }

  @Override
  void look(Algorithm algorithm, long now, long costPermits, Look look) {
    SlidingWindow window = (SlidingWindow) algorithm;
    while (true) {
      long head = acquire(HEAD);
      long slice = sliceOf(head, acquire(NUMBER));
      if (head == RETIRED_HEAD) {
        slice = Long.MIN_VALUE;
      }
      long current = Math.max(window.sliceAt(now), slice);
      look.usedPermits = head == RETIRED_HEAD ? 0 : used(window, current, slice, head);
      look.waitMicros = wait(window, now, costPermits, look.usedPermits, current, slice, head);
      look.mark = look.usedPermits == 0 ? Algorithm.UNUSED : lastUsed(window, current, slice, head);
      if (acquire(HEAD) == head) {
        return;
      }
    }
  }

  /** The sum of all slices that count when the given one is current. */
  private long used(SlidingWindow window, long current, long slice, long head) {
    if (slice < window.oldestAt(current)) {
      return 0;
    }
    long settled =
        current == slice ? knownSum(window, slice) : sum(window.oldestAt(current), slice);
    return settled + (head & COUNT_MASK);
  }

  /** The settled slices' sum while the head is of the given slice. */
  private long knownSum(SlidingWindow window, long slice) {
    long known = acquire(SUM);
    if (known != NO_SUM && isOf(known, slice)) {
      return known & COUNT_MASK;
    }
    long undos = acquire(UNDOS);
    long sum = sum(window.oldestAt(slice), slice);
    if (sum > MAX_COUNT) {
      return sum;
    }
    long made = entry(slice, sum);
    if (swap(SUM, known, made) && acquire(UNDOS) != undos) {
      swap(SUM, made, NO_SUM);
    }
    return sum;
  }

  private long sum(long oldest, long slice) {
    long sum = 0;
    int at = ringAt(oldest);
    for (long i = oldest; i < slice; i++) {
      long entry = acquire(at);
      sum += isOf(entry, i) ? entry & COUNT_MASK : 0;
      at = at + 1 == RING + ring ? RING : at + 1;
    }
    return sum;
  }

  private long countAt(long i, long slice, long head) {
    return i == slice ? head & COUNT_MASK : count(i);
  }

  private long wait(
      SlidingWindow window, long now, long cost, long used, long current, long slice, long head) {
    long excess = used + cost - window.capacityPermits();
    if (excess <= 0) {
      return 0;
    }
    if (cost > window.capacityPermits()) {
      return Algorithm.NEVER;
    }
    for (long i = window.oldestAt(current); i < slice; i++) {
      excess -= countAt(i, slice, head);
      if (excess <= 0) {
        return window.toLeaving(i, now);
      }
    }
    return window.toLeaving(slice, now);
  }

  private long lastUsed(SlidingWindow window, long current, long slice, long head) {
    for (long i = slice; i >= window.oldestAt(current); i--) {
      if (countAt(i, slice, head) > 0) {
        return i;
      }
    }
    return Algorithm.UNUSED;
  }

  @Override
  long charge(Algorithm algorithm, long now, long costPermits) {
    SlidingWindow window = (SlidingWindow) algorithm;
    while (true) {
      long head = acquire(HEAD);
      if (head == RETIRED_HEAD) {
        return RETIRED;
      }
      long slice = sliceOf(head, acquire(NUMBER));
      long current = Math.max(window.sliceAt(now), slice);
      if (head < 0) {
        moveOn(head, slice, current);
      } else if (costPermits > window.capacityPermits() - used(window, current, slice, head)) {
        if (acquire(HEAD) == head) {
          return REFUSED;
        }
      } else if (current > slice) {
        if (swap(HEAD, head, head | FROZEN)) {
          moveOn(head | FROZEN, slice, current);
        }
      } else if (swap(HEAD, head, head + costPermits)) {
        return slice;
      }
    }
  }

  @Override
  boolean owe(Algorithm algorithm, long now, long costPermits) {
    SlidingWindow window = (SlidingWindow) algorithm;
    while (true) {
      long head = acquire(HEAD);
      if (head == RETIRED_HEAD) {
        return false;
      }
      long slice = sliceOf(head, acquire(NUMBER));
      long current = Math.max(window.sliceAt(now), slice);
      if (head < 0) {
        moveOn(head, slice, current);
      } else if (current > slice) {
        if (swap(HEAD, head, head | FROZEN)) {
          moveOn(head | FROZEN, slice, current);
        }
      } else if (swap(HEAD, head, head + Math.min(costPermits, MAX_COUNT - (head & COUNT_MASK)))) {
        return true;
      }
    }
  }

  /**
   * Completes the move of a frozen head to a later slice.
   *
   * @param frozen the head that was read
   * @param slice its slice
   * @param wanted the slice to follow, if nobody named one before
   */
  private void moveOn(long frozen, long slice, long wanted) {
    long number = acquire(NUMBER);
    if (number == slice) {
      WORD.compareAndSet(words, NUMBER, slice, Math.max(wanted, slice + 1));
      number = acquire(NUMBER);
    }
    settle(frozen, slice, entry(slice, frozen & COUNT_MASK));
    for (long skipped = Math.max(slice + 1, number - ring); skipped < number; skipped++) {
      settle(frozen, skipped, entry(skipped, 0));
    }
    // A sum that was made when numbers had other high bits must not be taken for the new slice's.
    WORD.setRelease(words, SUM, NO_SUM);
    swap(HEAD, frozen, entry(number, 0));
  }

  /**
   * The entry is read before the head is looked at again: if the head still is frozen then, the
   * entry is one from before this move, and a swap that finds it unchanged, however late, does what
   * another thread of the same move would have done. One that fails was outrun by such a thread, or
   * by an undo in the slice that the entry was of, which is settled all the same.
   */
  private void settle(long frozen, long slice, long settled) {
    int at = ringAt(slice);
    long entry = acquire(at);
    while (!isOf(entry, slice) && acquire(HEAD) == frozen && !swap(at, entry, settled)) {
      entry = acquire(at);
    }
  }

  @Override
  void undo(long receipt, long costPermits) {
    while (true) {
      long head = acquire(HEAD);
      if (head == RETIRED_HEAD) {
        return;
      }
      long slice = sliceOf(head, acquire(NUMBER));
      if (head < 0) {
        moveOn(head, slice, slice + 1);
      } else if (slice == receipt) {
        if (swap(HEAD, head, head - Math.min(costPermits, head & COUNT_MASK))) {
          return;
        }
      } else {
        if (undoSettled(receipt, costPermits)) {
          return;
        }
      }
    }
  }

  private boolean undoSettled(long slice, long costPermits) {
    int at = ringAt(slice);
    long entry = acquire(at);
    if (!isOf(entry, slice)) {
      return true;
    }
    if (!swap(at, entry, entry - Math.min(costPermits, entry & COUNT_MASK))) {
      return false;
    }
    WORD.getAndAdd(words, UNDOS, 1L);
    WORD.setRelease(words, SUM, NO_SUM);
    return true;
  }

  @Override
  boolean isRetired() {
    return acquire(HEAD) == RETIRED_HEAD;
  }

  /** A head that is frozen may be replaced too: who moves it on swaps it last, and fails. */
  @Override
  boolean retireNow(Algorithm algorithm, long now) {
    SlidingWindow window = (SlidingWindow) algorithm;
    while (true) {
      long head = acquire(HEAD);
      if (head == RETIRED_HEAD) {
        return false;
      }
      long slice = sliceOf(head, acquire(NUMBER));
      long current = Math.max(window.sliceAt(now), slice);
      boolean used = used(window, current, slice, head) > 0;
      if (swap(HEAD, head, RETIRED_HEAD)) {
        return used;
      }
    }
  }

  @Override
  boolean retire(long now) {
    SlidingWindow window = (SlidingWindow) madeBy;
    long head = acquire(HEAD);
    if (head < 0) {
      return head == RETIRED_HEAD;
    }
    long slice = sliceOf(head, acquire(NUMBER));
    long current = Math.max(window.sliceAt(now), slice);
    return used(window, current, slice, head) == 0 && swap(HEAD, head, RETIRED_HEAD);
  }
}
