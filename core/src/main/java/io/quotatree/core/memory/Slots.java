package io.quotatree.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters of one word in a flat array, and the ways its words are accessed.
 *
 * <p>The slots of a segment are one array and nothing else, so that a counter is found by a look at
 * the head of the array and one at the counter. A bucket is four slots of two words, tag and state,
 * on 64 bytes, and besides, where only the seldom ways of a counter look, half a word for each:
 *
 * <pre>
 *   array:  generation, number of buckets | buckets, each four slots and four asides
 *   tag:    | 56 bits of the key | 8 bits: figures, or {@link #LOOK_ASIDE} |  0 empty, 1 dropped
 *   state:  | 0 | 63 bits: the algorithm's word |                          negative: in transit
 *   aside:  | 16 bits: figures | 16 bits: owner |
 * </pre>
 *
 * <p>A key's slot is in its home bucket, or in one of those behind it with no empty slot between. A
 * slot that was used is dropped at first, and becomes empty again only where no living counter's
 * way leads over its bucket, so a reader may stop at the first bucket that holds an empty one. The
 * home bucket follows from the tag, so that slots can be moved without their names; what tells keys
 * apart is the tag and the segment's number, 64 bits.
 *
 * <p>State is charged by compare-and-swap on a value read with acquire, by any thread. Tags, asides
 * and states in transit are written only under the segment's lock: state first to {@link
 * #IN_TRANSIT} (by swap, so that no charge is lost), then aside and tag, then the new state with
 * release. A reader takes a state for the key's only if the tag still is the key's after the state
 * was read, and a charge for done only if it is so after the swap.
 */
final class Slots {

  static final int SLOTS_PER_BUCKET = 4;

  /** Of the slots alone; behind them come their asides. */
  static final int SLOT_WORDS = 2 * SLOTS_PER_BUCKET;

  static final int WORDS_PER_BUCKET = SLOT_WORDS + SLOTS_PER_BUCKET / 2;
  static final int ABSENT = -1;
  static final long EMPTY = 0;
  static final long DROPPED = 1;
  static final long IN_TRANSIT = -1;
  static final int LOOK_ASIDE = 0xff;
  static final int MAX_FIGURES = 1 << 16;

  static final int NO_GENERATION = 0;

  private static final int GENERATION = 0;
  private static final int BUCKETS = 1;

  private static final int FIRST = 2;

  private static final int KEY_SHIFT = 8;
  private static final int OWNER_BITS = 16;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private Slots() {}

  /**
   * Empty slots.
   *
   * @param generation tells the slots of a segment that came after one another apart
   */
  static long[] of(int buckets, int generation) {
    long[] slots = new long[FIRST + buckets * WORDS_PER_BUCKET];
    slots[GENERATION] = generation;
    slots[BUCKETS] = buckets;
    return slots;
  }

  // The two words of the head are never written once others see the array: read as they are.

  static int generation(long[] slots) {
    return (int) slots[GENERATION];
  }

  /** How many counters find a place. */
  static int size(long[] slots) {
    return (int) slots[BUCKETS] * SLOTS_PER_BUCKET;
  }

  /** The index of the tag of one of all slots, by its number. */
  static int at(int number) {
    return FIRST + number / SLOTS_PER_BUCKET * WORDS_PER_BUCKET + number % SLOTS_PER_BUCKET * 2;
  }

  /** The tag of a key's counter that is written in the given figures. */
  static long tag(long key2, int figures) {
    long key = key2 & (-1L << KEY_SHIFT);
    // No key may look like an empty or dropped slot.
    return (key == 0 ? 1L << KEY_SHIFT : key) | Math.min(figures, LOOK_ASIDE);
  }

  static boolean sameKey(long tag, long other) {
    return (tag ^ other) >>> KEY_SHIFT == 0;
  }

  static boolean isLive(long tag) {
    return tag >>> KEY_SHIFT != 0;
  }

  /** The index of the first word of the home bucket of a key. */
  static int home(long[] slots, long tag) {
    return home(slots[BUCKETS], tag);
  }

  private static int home(long buckets, long tag) {
    return FIRST + (int) (((tag >>> Integer.SIZE) * buckets) >>> Integer.SIZE) * WORDS_PER_BUCKET;
  }

  /**
   * The index of the tag of one of a bucket's slots, in the order in which a key takes them: each
   * begins at a slot of its own, so that most are found at the first look.
   *
   * @param turn 0 to 3
   */
  static int slot(int bucket, long tag, int turn) {
    return bucket + (((int) (tag >>> KEY_SHIFT) + turn) & (SLOTS_PER_BUCKET - 1)) * 2;
  }

  static int next(long[] slots, int bucket) {
    int next = bucket + WORDS_PER_BUCKET;
    return next == slots.length ? FIRST : next;
  }

  /** How far one bucket lies behind another, on the way that keys take. */
  static int distance(long[] slots, int from, int to) {
    return to >= from ? to - from : to - from + slots.length - FIRST;
  }

  /** The index of the slot that a key is looked for in first, among so many buckets. */
  static int first(long buckets, long tag) {
    return slot(home(buckets, tag), tag, 0);
  }

  /** The index of a key's tag, or {@link #ABSENT}. */
  static int find(long[] slots, long wantedTag) {
    int first = first(slots[BUCKETS], wantedTag);
    return sameKey(tagAcquire(slots, first), wantedTag) ? first : search(slots, wantedTag);
  }

  private static int search(long[] slots, long wantedTag) {
    int home = home(slots, wantedTag);
    int bucket = home;
    do {
      boolean ends = false;
      for (int turn = 0; turn < SLOTS_PER_BUCKET; turn++) {
        int at = slot(bucket, wantedTag, turn);
        long tag = tagAcquire(slots, at);
        if (sameKey(tag, wantedTag)) {
          return at;
        }
        ends |= tag == EMPTY;
      }
      if (ends) {
        return ABSENT;
      }
      bucket = next(slots, bucket);
    } while (bucket != home);
    return ABSENT;
  }

  /**
   * The word of a slot whose tag is the given one, figures included; negative where it is not, says
   * aside in which figures it is, or may have become another's meanwhile.
   */
  static long word(long[] slots, int at, long tag) {
    if (tagAcquire(slots, at) != tag || ((int) tag & LOOK_ASIDE) == LOOK_ASIDE) {
      return IN_TRANSIT;
    }
    long word = stateAcquire(slots, at);
    return tagAcquire(slots, at) == tag ? word : IN_TRANSIT;
  }

  /** Whether a slot's tag or figures are others than those that were read. */
  static boolean isMoved(long[] slots, int at, long tag, int figures) {
    return tagAcquire(slots, at) != tag || figures(slots, at, tag) != figures;
  }

  /** The figures that a slot's state is written in. */
  static int figures(long[] slots, int at, long tag) {
    int near = (int) tag & LOOK_ASIDE;
    return near < LOOK_ASIDE ? near : figuresAside(slots, at);
  }

  static int figuresAside(long[] slots, int at) {
    return aside(slots, at) >>> OWNER_BITS;
  }

  static int owner(long[] slots, int at) {
    return aside(slots, at) & ((1 << OWNER_BITS) - 1);
  }

  /** Read with acquire. */
  private static int aside(long[] slots, int at) {
    return (int) ((long) WORD.getAcquire(slots, asideAt(at)) >>> asideShift(at));
  }

  /** Which word of the same bucket holds a slot's aside. */
  private static int asideAt(int at) {
    int inBucket = (at - FIRST) % WORDS_PER_BUCKET;
    return at - inBucket + SLOT_WORDS + inBucket / 4;
  }

  /** Two slots share a word. */
  private static int asideShift(int at) {
    return (at - FIRST) % WORDS_PER_BUCKET % 4 / 2 * Integer.SIZE;
  }

  /** Written with release, under the lock, before the tag is released to readers. */
  static void aside(long[] slots, int at, int figures, int owner) {
    int index = asideAt(at);
    int shift = asideShift(at);
    long neighbours = slots[index] & ~(0xffffffffL << shift);
    long aside = Integer.toUnsignedLong((figures << OWNER_BITS) | owner);
    WORD.setRelease(slots, index, neighbours | aside << shift);
  }

  static long tagAcquire(long[] slots, int at) {
    return (long) WORD.getAcquire(slots, at);
  }

  static void tagRelease(long[] slots, int at, long tag) {
    WORD.setRelease(slots, at, tag);
  }

  static long stateAcquire(long[] slots, int at) {
    return (long) WORD.getAcquire(slots, at + 1);
  }

  static void stateRelease(long[] slots, int at, long state) {
    WORD.setRelease(slots, at + 1, state);
  }

  static boolean stateSwap(long[] slots, int at, long expected, long state) {
    return WORD.compareAndSet(slots, at + 1, expected, state);
  }

  /** Takes the state away: whoever charges from now on looks again. */
  static long stateTake(long[] slots, int at) {
    return (long) WORD.getAndSet(slots, at + 1, IN_TRANSIT);
  }
}
