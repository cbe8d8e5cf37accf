package io.quotatree.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for work of well under a microsecond: making, moving and dropping counters, and the
 * entries of a sliding log. Charging any other counter takes none.
 *
 * <p>A monitor would park threads, and event loops must not be parked; who waits here spins, and
 * yields when the holder seems to be preempted.
 */
abstract class SpinLock {

  private static final int SPINS_BEFORE_YIELD = 64;
  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(SpinLock.class, "held", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * 1 while held. Taken by compare-and-swap (acquire), given up by a release store of the holder.
   */
  @SuppressWarnings("unused")
  private volatile int held;

  final void lock() {
    for (int spins = 0; !HELD.compareAndSet(this, 0, 1); spins++) {
      pause(spins);
    }
  }

  final void unlock() {
    HELD.setRelease(this, 0);
  }

  /** Waits a little. Yielding is for a holder that was preempted; nothing relies on it. */
  @SuppressWarnings("ThreadPriorityCheck")
  static void pause(int spins) {
    if (spins < SPINS_BEFORE_YIELD) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }
}
