package io.quotatree.bench.redis;

import java.util.concurrent.TimeUnit;

/**
 * When a store failed and came back: moments of {@link System#nanoTime}.
 *
 * <p>One thread writes them, each before what it tells of; all read them.
 */
final class Timeline {

  private static final long ONSET_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private volatile long begun = Long.MAX_VALUE;
  private volatile long ending = Long.MAX_VALUE;
  private volatile long back = Long.MAX_VALUE;
  private volatile boolean over;

  /** Every moment counts from here, so that none overflows. */
  private final long origin = System.nanoTime();

  long now() {
    return System.nanoTime() - origin;
  }

  /** The store fails from now on; answers the moment. */
  long begins() {
    long moment = now();
    begun = moment;
    return moment;
  }

  /** The store is about to be let back; answers the moment. */
  long ends() {
    long moment = now();
    ending = moment;
    return moment;
  }

  void isBack() {
    back = now();
  }

  void isOver() {
    over = true;
  }

  boolean over() {
    return over;
  }

  /** When the store took commands again. */
  long back() {
    return back;
  }

  Phase phase(long moment) {
    if (moment < begun) {
      return Phase.BEFORE;
    }
    if (moment >= ending) {
      return Phase.RETURNED;
    }
    return moment - begun < ONSET_NANOS ? Phase.ONSET : Phase.MEANWHILE;
  }
}
