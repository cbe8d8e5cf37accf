package io.quotatree.core.memory;

import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Step;
import org.jspecify.annotations.Nullable;

/**
 * One limit of a plan being executed: what was found of its counter between asking and charging.
 *
 * <p>Numbers as far as may be: an object that lives for long pays for each reference that is
 * written into it with a fence (G1), which ends what the processor does at the same time. So the
 * limit is the plan's to tell, and what else there is is written only where it is another.
 */
final class Place {

  /** How far a counter was sent for want of room. */
  static final int OWN = 0;

  static final int CALLERS_OVERFLOW = 1;
  static final int LAST_RESORT = 2;

  /** Where in the plan it is. */
  final int index;

  int overflow;

  /** The key in force. */
  long key1;

  long key2;

  // Of a counter of one word:

  /** The number of the limit's figures, and the tag of a counter that is written in them. */
  int number;

  long tag;

  /**
   * In which slots of its segment it was found so that it can be charged, or none; and where in
   * them.
   */
  int generation;

  int at;

  /** What wrote the word, where it was for another limit than this; null for this one. */
  private @Nullable WordAlgorithm writer;

  /** The word that was asked, and the one that a charge leaves of it. */
  long asked;

  long charged;

  // Of a counter of several words:

  private @Nullable Cell cell;

  /** The permits in use when it was asked, and the receipt of its charge. */
  long usedPermits;

  long receipt;

  /** Whether it was charged in the try under way. */
  boolean isCharged;

  Place(int index) {
    this.index = index;
  }

  void begin(Plan plan, Figures.Known known) {
    overflow = OWN;
    isCharged = false;
    use(plan.key1(index), plan.key2(index), known.number(plan.step(index)));
  }

  /** Takes the key of a counter, and the number of its limit's figures. */
  void use(long first, long second, int figures) {
    key1 = first;
    key2 = second;
    number = figures;
    tag = Slots.tag(second, figures);
  }

  /** Sends a counter that found no room to the next wider one that its subject shares. */
  void sendOn(Plan plan, Figures.Known known) {
    overflow++;
    int figures = known.number(step(plan));
    if (overflow == CALLERS_OVERFLOW) {
      use(plan.overflowKey(index, 0), plan.overflowKey(index, 1), figures);
    } else {
      use(plan.lastResortKey(index, 0), plan.lastResortKey(index, 1), figures);
    }
  }

  /** The limit in force: the plan's, or that of an overflow counter. */
  Step step(Plan plan) {
    Step step = plan.step(index);
    return overflow == OWN ? step : step.overflow();
  }

  /** The algorithm of the limit in force, whose counter is one word. */
  WordAlgorithm word(Plan plan) {
    WordAlgorithm algorithm = step(plan).wordAlgorithm();
    if (algorithm == null) {
      throw new IllegalStateException("limit " + index + " counts in several words");
    }
    return algorithm;
  }

  @Nullable WordAlgorithm writer() {
    return writer;
  }

  void writer(@Nullable WordAlgorithm found) {
    if (writer != found) {
      writer = found;
    }
  }

  @Nullable Cell cell() {
    return cell;
  }

  void cell(@Nullable Cell found) {
    if (cell != found) {
      cell = found;
    }
  }

  /** Whose room a new counter takes. */
  int owner(Plan plan) {
    return Room.inLayer(ownerOf(plan), plan.step(index).layer());
  }

  private int ownerOf(Plan plan) {
    if (!plan.step(index).isUnbounded() || overflow == LAST_RESORT) {
      return Room.NOBODY;
    }
    return overflow == CALLERS_OVERFLOW
        ? Room.OVERFLOW
        : Room.owner(plan.callerKey(), plan.isUnidentified());
  }
}
