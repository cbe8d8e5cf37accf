package io.quotatree.core.memory;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.testkit.Limits;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.util.LoggingLevel;
import org.junit.jupiter.api.Test;

/**
 * A refund in a slice that has left comes while its place in the ring is taken by the slice that is
 * settled: that one's count is kept, and the window grants one permit more, not four.
 */
public class SlidingCellRefundLincheckTest {

  private static final long SLICE_MICROS = 2_000;

  private final Algorithm window = Algorithm.of(Limits.slidingWindow("4/2ms", 1));
  private final Cell cell = Cell.of(window, 10 * SLICE_MICROS, 1, 2, 0);

  /** The ring has three places, so slice 13 takes the one of slice 10. */
  public SlidingCellRefundLincheckTest() {
    long unused = cell.charge(window, 10 * SLICE_MICROS, 3);
    unused = cell.charge(window, 13 * SLICE_MICROS, 3);
  }

  /** Whether a permit was granted in the slice after. */
  @Operation
  public boolean charge() {
    return cell.charge(window, 14 * SLICE_MICROS, 1) != Cell.REFUSED;
  }

  /** Gives a permit of slice 10 back, which counts no more. */
  @Operation
  public void refund() {
    cell.undo(10, 1);
  }

  @Test
  void model_checked() {
    new ModelCheckingOptions()
        .logLevel(LoggingLevel.ERROR)
        .iterations(10)
        .invocationsPerIteration(500)
        .threads(2)
        .actorsPerThread(1)
        .actorsBefore(0)
        .actorsAfter(2)
        .check(getClass());
  }
}
