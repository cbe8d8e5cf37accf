package io.quotatree.redis;

import java.util.concurrent.TimeUnit;

/**
 * Whether the store's clock goes on as this process's does, or was set: seen by what it says
 * between two times of this process.
 *
 * <pre>
 *     store    ───────────── said ─────────────►
 *     process  ── asked ──────────── answered ──►    said - answered ≤ difference ≤ said - asked
 * </pre>
 *
 * <p>Clocks that drift apart are as one that was set, once they are far enough. Not for use by
 * several threads.
 */
final class StoreClock {

  /** By so much they may drift apart. */
  static final long DRIFT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private boolean isKnown;
  private long leastNanos;
  private long mostNanos;

  /** Takes in what the store said; false where that does not go on from before. */
  boolean goesOn(long askedNanos, long saidNanos, long answeredNanos) {
    long least = saidNanos - answeredNanos;
    long most = saidNanos - askedNanos;
    boolean goesOn =
        isKnown && least <= mostNanos + DRIFT_NANOS && most >= leastNanos - DRIFT_NANOS;
    if (!goesOn) {
      isKnown = true;
      leastNanos = least;
      mostNanos = most;
    }
    return goesOn;
  }
}
