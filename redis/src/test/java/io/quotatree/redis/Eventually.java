package io.quotatree.redis;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what comes by itself: the one thing a test of real processes may wait for. */
public final class Eventually {

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private Eventually() {}

  /** Waits until something is so; fails after a minute. */
  public static void eventually(String what, BooleanSupplier condition) {
    long startNanos = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - startNanos > PATIENCE_NANOS) {
        throw new AssertionError("never came true: " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }
}
