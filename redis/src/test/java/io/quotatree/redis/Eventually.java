package io.quotatree.redis;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other processes do, for as long as it takes. */
final class Eventually {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private Eventually() {}

  static void come(String what, BooleanSupplier condition) {
    long startNanos = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - startNanos > PATIENCE_NANOS) {
        throw new AssertionError("never came true: " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
