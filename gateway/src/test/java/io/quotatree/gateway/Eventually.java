package io.quotatree.gateway;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread will bring about, as long as it takes and not for ever. */
final class Eventually {

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private Eventually() {}

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
