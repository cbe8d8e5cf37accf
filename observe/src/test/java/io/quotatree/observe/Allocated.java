package io.quotatree.observe;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.BooleanSupplier;

/** What calls allocate. */
final class Allocated {

  private static final int WARMING = 50_000;
  private static final int MEASURED = 100_000;

  private Allocated() {}

  /** What 100,000 calls allocate once they are warm; each must answer true. */
  static long bytes(BooleanSupplier call) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().getId();
    long before = 0;
    for (int i = 0; i < WARMING + MEASURED; i++) {
      if (i == WARMING) {
        before = threads.getThreadAllocatedBytes(self);
      }
      if (!call.getAsBoolean()) {
        throw new AssertionError("the call answered false");
      }
    }
    return threads.getThreadAllocatedBytes(self) - before;
  }
}
