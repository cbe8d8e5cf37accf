package io.quotatree.core.memory;

import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.Moment;
import io.quotatree.testkit.Trees;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.util.LoggingLevel;
import org.junit.jupiter.api.Test;

/**
 * Counters of one word are made, dropped, moved and charged in one segment of the slot table, in
 * which all keys lie near each other.
 *
 * <p>Requests in flight are counted, since such a counter no longer matters, and may be dropped, as
 * soon as its permits are back, whatever the time.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:4")
public class SlotTableLincheckTest {

  private static final Policy POLICY =
      Policy.compile(
          Trees.tree(Trees.caller(Quota.of(Allowance.UNLIMITED).withConcurrency(2))), "gw-1");

  private static final Moment NOW = new Moment();
  private static final Plan PLAN = plan();

  /** As many counters as the first slots of a segment hold before they are moved to more. */
  private static final int FIRST_FILL = 12;

  private final Figures figures = new Figures();
  private final WordCounters counters = new WordCounters(figures, new Room());
  private final Figures.Known known;

  /** A table that is just full: keys 0 and 1 are in it, the others of the operations are not. */
  public SlotTableLincheckTest() {
    figures.adopt(POLICY, bits -> {});
    known = figures.known(POLICY, bits -> {});
    for (int key = 0; key < FIRST_FILL; key++) {
      acquire(key < 2 ? key : 100 + key);
    }
  }

  /** Takes a permit of a key's two. */
  @Operation
  public boolean acquire(@Param(name = "key") int key) {
    Execution run = execution(key);
    Place place = run.place(0);
    WordAlgorithm algorithm = place.word(PLAN);
    while (counters.ask(run, place, algorithm)) {
      if (counters.charge(run, place, algorithm)) {
        return true;
      }
    }
    return false;
  }

  /** Gives back a permit of a key, if any is taken. */
  @Operation
  public void release(@Param(name = "key") int key) {
    Execution run = execution(key);
    counters.release(run, run.place(0));
  }

  /** Drops whatever nobody uses. */
  @Operation
  public void sweep() {
    counters.sweep(0, NOW);
  }

  private static Plan plan() {
    Plan plan = new Plan();
    POLICY.plan(Request.of("c", "u", "GET", "/"), plan);
    return plan;
  }

  private Execution execution(int key) {
    Verdict verdict = new Verdict();
    verdict.begin(PLAN, NOW);
    Execution run = new Execution();
    run.begin(PLAN, NOW, verdict, known);
    // All in one segment, and most in one bucket.
    long key2 = ((long) (key % 3) << 61) | ((long) (key + 1) << 20);
    run.place(0).use((long) key << 32, key2, run.place(0).number);
    return run;
  }

  @Test
  void under_stress() {
    new StressOptions()
        .logLevel(LoggingLevel.ERROR)
        .iterations(20)
        .invocationsPerIteration(500)
        .threads(3)
        .actorsPerThread(4)
        .actorsAfter(3)
        .check(getClass());
  }
}
