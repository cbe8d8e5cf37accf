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

/** The entries of a sliding log come, leave and are taken back while threads charge it. */
@Param(name = "time", gen = IntGen.class, conf = "1:4")
@Param(name = "cost", gen = IntGen.class, conf = "1:2")
public class LogCellLincheckTest {

  private static final long TICK_MICROS = 500;

  private final Algorithm log = Algorithm.of(Limits.slidingLog("4/ms"));
  private final Cell cell = Cell.of(log, 0, 1, 2, 0);

  /** When the cost was charged, or that it was refused. */
  @Operation
  public long charge(@Param(name = "time") int time, @Param(name = "cost") int cost) {
    return cell.charge(log, time * TICK_MICROS, cost);
  }

  /** Takes back what a charge at that time took. */
  @Operation
  public void undo(@Param(name = "time") int time, @Param(name = "cost") int cost) {
    cell.undo(time * TICK_MICROS, cost);
  }

  /** What is used. */
  @Operation
  public long used(@Param(name = "time") int time) {
    Cell.Look look = new Cell.Look();
    cell.look(log, time * TICK_MICROS, 1, look);
    return look.usedPermits;
  }

  @Test
  void model_checked() {
    new ModelCheckingOptions()
        .logLevel(LoggingLevel.ERROR)
        .iterations(10)
        .invocationsPerIteration(500)
        .threads(3)
        .actorsPerThread(2)
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
        .check(getClass());
  }
}
