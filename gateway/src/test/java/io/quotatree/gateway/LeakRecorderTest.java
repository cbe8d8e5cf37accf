package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import org.junit.jupiter.api.Test;

/** The recorder of lost buffers is really Netty's detector while these tests run. */
final class LeakRecorderTest {

  @Test
  void it_is_the_detector_in_use_and_looks_at_every_buffer() {
    ResourceLeakDetector<LeakRecorderTest> detector =
        ResourceLeakDetectorFactory.instance().newResourceLeakDetector(LeakRecorderTest.class);
    assertThat(detector).isInstanceOf(LeakRecorder.class);
    assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
  }
}
