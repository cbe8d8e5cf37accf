package io.quotatree.redis.failover;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How much of each counter was used when the store told of it last: of so many counters as there
 * are places, and where two want one place, of the one that was met last.
 *
 * <p>A place is two words: what was used and when, and the counter's key joined with them by
 * exclusive or. Any thread writes and reads them, opaquely, and the two are not written in one
 * step: a reader who finds halves of two writes finds that they do not fit his key, and takes the
 * counter for one that was never told of. Writing costs what two stores cost.
 */
final class LastUses {

  /** Nothing is used, or nothing is known. */
  static final long NOTHING = 0;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int PLACES = 1 << 16;

  /** Milliseconds in 34 bits come round in half a year, 10^9 permits need 30. */
  private static final int TIME_BITS = 34;

  private static final long TIME_MASK = (1L << TIME_BITS) - 1;

  private final long[] words = new long[2 * PLACES];

  /**
   * Notes what is used of a counter.
   *
   * @param usedPermits 0 to 10^9
   */
  void saw(long key1, long key2, long usedPermits, long monotonicMicros) {
    int at = place(key1);
    long use = usedPermits << TIME_BITS | (monotonicMicros / 1000 & TIME_MASK);
    WORD.setOpaque(words, at, key2 ^ use);
    WORD.setOpaque(words, at + 1, use);
  }

  /** What was used last, and when; {@link #NOTHING} where that is not known. */
  long find(long key1, long key2) {
    int at = place(key1);
    long use = (long) WORD.getOpaque(words, at + 1);
    return ((long) WORD.getOpaque(words, at) ^ use) == key2 ? use : NOTHING;
  }

  private static int place(long key1) {
    return 2 * ((int) key1 & (PLACES - 1));
  }

  static long usedPermits(long use) {
    return use >>> TIME_BITS;
  }

  /** How long ago that was. */
  static long ageMicros(long use, long monotonicMicros) {
    return (monotonicMicros / 1000 - use & TIME_MASK) * 1000;
  }
}
