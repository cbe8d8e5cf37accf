package io.quotatree.gateway;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Waits for what another thread will bring about, as long as it takes and not for ever. */
final class Eventually {

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long STILL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private Eventually() {}

  /** Waits until a figure has not changed for a while. */
  static void standsStill(String what, LongSupplier figure) {
    long[] seen = {figure.getAsLong(), System.nanoTime()};
    holds(
        what + " stands still",
        () -> {
          long now = figure.getAsLong();
          if (now != seen[0]) {
            seen[0] = now;
            seen[1] = System.nanoTime();
          }
          return System.nanoTime() - seen[1] > STILL_NANOS;
        });
  }

  static void holds(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > LIMIT_NANOS) {
        throw new AssertionError("never came true: " + what);
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }
}
