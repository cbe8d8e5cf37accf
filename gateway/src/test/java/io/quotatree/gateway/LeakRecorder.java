package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Records leaked buffers, which Netty by itself would only log. The build makes it Netty's detector
 * by {@code -Dio.netty.customResourceLeakDetector}.
 */
public final class LeakRecorder<T> extends ResourceLeakDetector<T> {

  private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();
  private static final int PROBES = 100;

  /** As Netty makes detectors. */
  public LeakRecorder(Class<?> resource, int samplingInterval) {
    super(resource, samplingInterval);
  }

  /** As Netty looks for at first, though it has not used the last argument for long. */
  public LeakRecorder(Class<?> resource, int samplingInterval, long unused) {
    super(resource, samplingInterval);
  }

  @Override
  protected void reportTracedLeak(String resource, String records) {
    LEAKS.add(resource + records);
  }

  @Override
  protected void reportUntracedLeak(String resource) {
    LEAKS.add(resource);
  }

  /** Fails if a buffer was lost so far. */
  static void assertNoLeak() {
    // Found at the next tracked buffer after the lost one was collected as garbage.
    ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    for (int i = 0; i < PROBES; i++) {
      if (i % (PROBES / 4) == 0) {
        System.gc();
      }
      allocator.buffer(1).release();
    }
    assertThat(LEAKS).isEmpty();
  }
}
