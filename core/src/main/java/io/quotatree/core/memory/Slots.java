package io.quotatree.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters of one word in flat arrays, and the ways their words are accessed.
 *
 * <p>A bucket is four slots on 64 bytes; a slot is two words, tag and state, and besides, where
 * only the seldom ways of a counter look, an int:
 *
 * <pre>
 *   tag:    | 56 bits of the key | 8 bits: figures, or {@link #LOOK_ASIDE} |  0 empty, 1 dropped
 *   state:  | 0 | 63 bits: the algorithm's word |                          negative: in transit
 *   aside:  | 16 bits: figures | 16 bits: owner |
 * </pre>
 *
 * <p>A key's slot is in its home bucket, or in one of those behind it with no empty slot between; a
 * slot that was used never becomes empty again, only dropped, so a reader may stop at the first
 * bucket that holds an empty one. The home bucket follows from the tag, so that slots can be moved
 * without their names; what tells keys apart is the tag and the segment's number, 64 bits.
 *
 * <p>State is charged by compare-and-swap on a value read with acquire, by any thread. Tags, asides
 * and states in transit are written only under the segment's lock: state first to {@link
 * #IN_TRANSIT} (by swap, so that no charge is lost), then aside and tag, then the new state with
 * release. A reader takes a state for the key's only if the tag still is the key's after the state
 * was read, and a charge for done only if it is so after the swap.
 */
final class Slots {

  static final int SLOTS_PER_BUCKET = 4;
  static final int WORDS_PER_BUCKET = 2 * SLOTS_PER_BUCKET;
  static final int ABSENT = -1;
  static final long EMPTY = 0;
  static final long DROPPED = 1;
  static final long IN_TRANSIT = -1;
  static final int LOOK_ASIDE = 0xff;
  static final int MAX_FIGURES = 1 << 16;

  private static final int KEY_SHIFT = 8;
  private static final int OWNER_BITS = 16;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  static final int NO_GENERATION = 0;

  /** Tells the slots of a segment that came after one another apart. */
  final int generation;

  /** Beside the reference to the words, so that a bucket is found without a look at their head. */
  private final int buckets;

  private final long[] words;
  private final int[] asides;

  Slots(int buckets, int generation) {
    this.generation = generation;
    this.buckets = buckets;
    words = new long[buckets * WORDS_PER_BUCKET];
    asides = new int[buckets * SLOTS_PER_BUCKET];
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

  int length() {
    return words.length;
  }

  int slots() {
    return asides.length;
  }

  /** The index of the first word of the home bucket of a key. */
  int home(long tag) {
    return (int) (((tag >>> Integer.SIZE) * buckets) >>> Integer.SIZE) * WORDS_PER_BUCKET;
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

  int next(int bucket) {
    int next = bucket + WORDS_PER_BUCKET;
    return next == words.length ? 0 : next;
  }

  /** How far one bucket lies behind another, on the way that keys take. */
  int distance(int from, int to) {
    return to >= from ? to - from : to - from + words.length;
  }

  /** The index of a key's tag, or {@link #ABSENT}. */
  int find(long wantedTag) {
    return find(wantedTag, home(wantedTag));
  }

  /** The same, by one who knows the key's home. */
  int find(long wantedTag, int home) {
    int bucket = home;
    do {
      boolean ends = false;
      for (int turn = 0; turn < SLOTS_PER_BUCKET; turn++) {
        int at = slot(bucket, wantedTag, turn);
        long tag = tagAcquire(at);
        if (sameKey(tag, wantedTag)) {
          return at;
        }
        ends |= tag == EMPTY;
      }
      if (ends) {
        return ABSENT;
      }
      bucket = next(bucket);
    } while (bucket != home);
    return ABSENT;
  }

  /** The figures that a slot's state is written in. */
  int figures(int at, long tag) {
    int near = (int) tag & LOOK_ASIDE;
    return near < LOOK_ASIDE ? near : asides[at / 2] >>> OWNER_BITS;
  }

  int figuresAside(int at) {
    return asides[at / 2] >>> OWNER_BITS;
  }

  int owner(int at) {
    return asides[at / 2] & ((1 << OWNER_BITS) - 1);
  }

  /** Written under the lock, before the tag is released to readers. */
  void aside(int at, int figures, int owner) {
    asides[at / 2] = (figures << OWNER_BITS) | owner;
  }

  long tagAcquire(int at) {
    return (long) WORD.getAcquire(words, at);
  }

  void tagRelease(int at, long tag) {
    WORD.setRelease(words, at, tag);
  }

  long stateAcquire(int at) {
    return (long) WORD.getAcquire(words, at + 1);
  }

  void stateRelease(int at, long state) {
    WORD.setRelease(words, at + 1, state);
  }

  boolean stateSwap(int at, long expected, long state) {
    return WORD.compareAndSet(words, at + 1, expected, state);
  }

  /** Takes the state away: whoever charges from now on looks again. */
  long stateTake(int at) {
    return (long) WORD.getAndSet(words, at + 1, IN_TRANSIT);
  }
}
