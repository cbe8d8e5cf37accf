package io.quotatree.core.memory;

import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Step;
import io.quotatree.core.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * A plan being executed, with what was found of its counters between asking and charging. Kept with
 * a verdict and reused, so that executing allocates nothing.
 */
final class Execution {

  private static final int USUAL_STEPS = 8;

  /** How far a counter was sent for want of room. */
  static final int OWN = 0;

  static final int CALLERS_OVERFLOW = 1;
  static final int LAST_RESORT = 2;

  Plan plan = new Plan();
  Moment moment = new Moment();
  Verdict verdict = new Verdict();
  Figures.@Nullable Known known;
  long costPermits;
  final Cell.Look look = new Cell.Look();

  // By place in the plan:

  /** The keys in force: the plan's, or those of overflow counters. */
  long[] key1 = new long[USUAL_STEPS];

  long[] key2 = new long[USUAL_STEPS];
  int[] overflow = new int[USUAL_STEPS];

  /** The algorithm of the limit in force; null where its counter has several words. */
  @Nullable WordAlgorithm[] wanted = new WordAlgorithm[USUAL_STEPS];

  /** Where a counter of one word was found, and in which figures. */
  @Nullable Slots[] slots = new Slots[USUAL_STEPS];

  int[] homes = new int[USUAL_STEPS];
  int[] at = new int[USUAL_STEPS];
  long[] tags = new long[USUAL_STEPS];
  @Nullable WordAlgorithm[] algorithms = new WordAlgorithm[USUAL_STEPS];

  /** Whether the word is written in the figures of another line of the same quotas. */
  boolean[] isOthers = new boolean[USUAL_STEPS];

  /** The word that was asked (of a cell: the permits in use), and the word that a charge left. */
  long[] asked = new long[USUAL_STEPS];

  long[] charged = new long[USUAL_STEPS];

  /** A counter of several words, and the receipt of its charge. */
  @Nullable Cell[] cells = new Cell[USUAL_STEPS];

  long[] receipts = new long[USUAL_STEPS];

  /** Read for nothing but to have it near: see {@link WordCounters#locate}. */
  long touched;

  /** Whether a limit was charged in the try under way. */
  boolean[] isCharged = new boolean[USUAL_STEPS];

  void begin(Plan of, Moment at, Verdict into, Figures.Known by) {
    plan = of;
    moment = at;
    verdict = into;
    known = by;
    // A request of cost 0 is decided as one of cost 1, and charges nothing.
    costPermits = Math.max(1, of.costPermits());
    if (of.size() > key1.length) {
      grow(2 * of.size());
    }
    for (int i = 0; i < of.size(); i++) {
      key1[i] = of.key1(i);
      key2[i] = of.key2(i);
      overflow[i] = OWN;
      wanted[i] = of.step(i).algorithm() instanceof WordAlgorithm word ? word : null;
    }
  }

  private void grow(int steps) {
    key1 = new long[steps];
    key2 = new long[steps];
    overflow = new int[steps];
    wanted = new WordAlgorithm[steps];
    slots = new Slots[steps];
    homes = new int[steps];
    at = new int[steps];
    tags = new long[steps];
    algorithms = new WordAlgorithm[steps];
    isOthers = new boolean[steps];
    asked = new long[steps];
    charged = new long[steps];
    cells = new Cell[steps];
    receipts = new long[steps];
    isCharged = new boolean[steps];
  }

  /** The limit in force at a place of the plan. */
  Step step(int index) {
    Step step = plan.step(index);
    return overflow[index] == OWN ? step : step.overflow();
  }

  /** Whether a place's counter is one word. */
  boolean isWord(int index) {
    return wanted[index] != null;
  }

  /** The algorithm of the limit in force at a place whose counter is one word. */
  WordAlgorithm word(int index) {
    WordAlgorithm algorithm = wanted[index];
    if (algorithm == null) {
      throw new IllegalStateException("limit " + index + " counts in several words");
    }
    return algorithm;
  }

  /** The number of the figures of a place's limit. */
  int figures(int index) {
    Figures.Known by = known;
    return by == null ? 0 : by.number(step(index));
  }

  long revision() {
    Figures.Known by = known;
    return by == null ? 0 : by.revision;
  }

  long now(WordAlgorithm algorithm) {
    return moment.micros(algorithm.onWindowTime());
  }

  /** Whose room a new counter at a place of the plan takes. */
  int owner(int index) {
    return Room.inLayer(ownerOf(index), plan.step(index).layer());
  }

  private int ownerOf(int index) {
    if (!plan.step(index).isUnbounded() || overflow[index] == LAST_RESORT) {
      return Room.NOBODY;
    }
    return overflow[index] == CALLERS_OVERFLOW
        ? Room.OVERFLOW
        : Room.owner(plan.callerKey(), plan.isUnidentified());
  }

  /** Sends a counter that found no room to the next wider one that its subject shares. */
  void sendOn(int index) {
    overflow[index]++;
    boolean callers = overflow[index] == CALLERS_OVERFLOW;
    key1[index] = callers ? plan.overflowKey(index, 0) : plan.lastResortKey(index, 0);
    key2[index] = callers ? plan.overflowKey(index, 1) : plan.lastResortKey(index, 1);
    wanted[index] = step(index).algorithm() instanceof WordAlgorithm word ? word : null;
    // What was located is the other key's home.
    slots[index] = null;
  }
}
