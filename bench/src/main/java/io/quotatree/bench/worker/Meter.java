package io.quotatree.bench.worker;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** What the machine tells of a thread, of the process and of its memory. */
final class Meter {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final int COLLECTIONS = 3;

  private Meter() {}

  /** CPU time of the calling thread. */
  static long cpuNanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** CPU time of all threads, those of the collector and of libraries included. */
  static long processCpuNanos() {
    return PROCESS.getProcessCpuTime();
  }

  /** Bytes that the calling thread has allocated. */
  static long allocatedBytes() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  static long wallNanos() {
    return System.nanoTime();
  }

  static long wallNanosIn(long millis) {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** How long the compilers have worked so far. */
  static long compilationMillis() {
    return ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
  }

  /** The heap in use once all garbage is gone. */
  static long liveBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
