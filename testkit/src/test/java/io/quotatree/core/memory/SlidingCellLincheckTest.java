package io.quotatree.core.memory;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.testkit.Limits;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.util.LoggingLevel;
import org.junit.jupiter.api.Test;

/**
 * The slices of a sliding window move on while threads charge them.
 *
 * <p>A thread whose time is stale may be charged in any slice between its own and the newest, and
 * only few slices are tried, so that in no order could the difference be told.
 */
@Param(name = "slice", gen = IntGen.class, conf = "10:13")
@Param(name = "cost", gen = IntGen.class, conf = "1:2")
public class SlidingCellLincheckTest {

  private static final long SLICE_MICROS = 2_000;

  private final Algorithm window = Algorithm.of(Limits.slidingWindow("4/4ms", 2));
  private final Cell cell = Cell.of(window, 10 * SLICE_MICROS, 1, 2, 0);

  /** Whether the cost was granted. */
  @Operation
  public boolean charge(@Param(name = "slice") int slice, @Param(name = "cost") int cost) {
    return cell.charge(window, slice * SLICE_MICROS, cost) != Cell.REFUSED;
  }

  @Test
  void model_checked() {
    new ModelCheckingOptions()
        .logLevel(LoggingLevel.ERROR)
        .iterations(10)
        .invocationsPerIteration(500)
        .threads(3)
        .actorsPerThread(2)
        .actorsBefore(2)
        .actorsAfter(2)
        .check(getClass());
  }

  @Test
  void under_stress() {
    new StressOptions()
        .logLevel(LoggingLevel.ERROR)
        .iterations(20)
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(3)
        .actorsAfter(3)
        .check(getClass());
  }
}
