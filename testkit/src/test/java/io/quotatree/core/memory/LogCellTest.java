package io.quotatree.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.testkit.Limits;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class LogCellTest {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Algorithm log = Algorithm.of(Limits.slidingLog("2/h"));
  private final Cell cell = Cell.of(log, 0, 1, 2, 0);
  private long now;
  private long granted;

  /** One is always in use, so that the entry before it is given back in the middle of the log. */
  private void chargeAndGiveBack(int times) {
    long before = cell.charge(log, now, 1);
    for (int i = 0; i < times; i++) {
      now += 10;
      long charged = cell.charge(log, now, 1);
      granted += charged == now ? 1 : 0;
      cell.undo(before, 1);
      before = charged;
    }
    cell.undo(before, 1);
  }

  @Test
  void what_was_given_back_takes_no_memory() {
    chargeAndGiveBack(1_000);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    chargeAndGiveBack(100_000);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(granted).isEqualTo(101_000);
    // 100,000 entries would take over a million bytes.
    assertThat(allocated).isLessThan(100_000);
    assertThat(cell.charge(log, now, 2)).isEqualTo(now);
    assertThat(cell.charge(log, now, 1)).isEqualTo(Cell.REFUSED);
  }
}
