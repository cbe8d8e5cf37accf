package io.quotatree.bench.contender;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A token bucket in one {@code AtomicLong}, as a good programmer writes it in an afternoon: the
 * generic cell rate algorithm in nanoseconds.
 *
 * @param intervalNanos of one permit
 * @param burstNanos of a full bucket
 */
record Gcra(long intervalNanos, long burstNanos) {

  static final Gcra NODE = new Gcra(1, 1_000_000_000L);
  static final Gcra CALLER = new Gcra(100_000_000L, 100_000_000L * Quotas.CALLER_BURST);
  static final Gcra USER = new Gcra(20_000_000_000L, 20_000_000_000L * Quotas.USER_BURST);
  static final Gcra CHURNING_USER = new Gcra(100_000_000L, 1_000_000_000L);
  static final Gcra API = new Gcra(1, 3_600_000_000_000L);

  private static final long DAY_NANOS = 86_400_000_000_000L;

  boolean grants(long word, long now) {
    return Math.max(word, now) + intervalNanos - now <= burstNanos;
  }

  /** Charges a permit; false where it is no longer granted. */
  boolean charge(AtomicLong counter, long now) {
    while (true) {
      long word = counter.get();
      if (!grants(word, now)) {
        return false;
      }
      if (counter.compareAndSet(word, Math.max(word, now) + intervalNanos)) {
        return true;
      }
    }
  }

  /** Takes a charge back. */
  void undo(AtomicLong counter) {
    counter.addAndGet(-intervalNanos);
  }

  void putInDebt(AtomicLong counter, long now) {
    counter.set(now + burstNanos + DAY_NANOS);
  }
}
