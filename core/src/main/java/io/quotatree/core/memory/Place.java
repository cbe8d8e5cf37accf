package io.quotatree.core.memory;

import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Step;
import org.jspecify.annotations.Nullable;

/**
 * One limit of a plan being executed, with what was found of its counter between asking and
 * charging.
 *
 * <p>References are written only where they change, here and in {@link Execution}: an object that
 * lives for long pays for each that is written with a fence (G1), which ends what the processor
 * does at the same time.
 */
final class Place {

  /** How far a counter was sent for want of room. */
  static final int OWN = 0;

  static final int CALLERS_OVERFLOW = 1;
  static final int LAST_RESORT = 2;

  /** Where in the plan it is. */
  final int index;

  /** The limit in force: the plan's, or that of an overflow counter. */
  private @Nullable Step step;

  /** How that counts, where its counter is one word; null where that has several. */
  private @Nullable WordAlgorithm wordAlgorithm;

  /** The key in force. */
  long key1;

  long key2;
  int overflow;

  // Of a counter of one word:

  /** In which slots of its segment it was looked for, from where on, and where it was. */
  int generation;

  int home;
  int at;
  long tag;

  /** The algorithm that wrote the word, where that is not the limit's own. */
  private @Nullable WordAlgorithm writer;

  /** Whether the word is written in the figures of another line of the same quotas. */
  boolean isOthers;

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

  void begin(Plan plan) {
    step(plan.step(index));
    key1 = plan.key1(index);
    key2 = plan.key2(index);
    overflow = OWN;
    generation = Slots.NO_GENERATION;
  }

  /** Sends a counter that found no room to the next wider one that its subject shares. */
  void sendOn(Plan plan) {
    overflow++;
    boolean callers = overflow == CALLERS_OVERFLOW;
    step(plan.step(index).overflow());
    key1 = callers ? plan.overflowKey(index, 0) : plan.lastResortKey(index, 0);
    key2 = callers ? plan.overflowKey(index, 1) : plan.lastResortKey(index, 1);
    // What was located is the other key's home.
    generation = Slots.NO_GENERATION;
  }

  private void step(Step changed) {
    if (step != changed) {
      step = changed;
      wordAlgorithm = changed.algorithm() instanceof WordAlgorithm word ? word : null;
    }
  }

  /** The limit in force. */
  Step step() {
    Step known = step;
    if (known == null) {
      throw new IllegalStateException("a place is read once its execution has begun");
    }
    return known;
  }

  /** Whether the counter is one word. */
  boolean isWord() {
    return wordAlgorithm != null;
  }

  /** The algorithm of the limit in force, whose counter is one word. */
  WordAlgorithm word() {
    WordAlgorithm known = wordAlgorithm;
    if (known == null) {
      throw new IllegalStateException("limit " + index + " counts in several words");
    }
    return known;
  }

  /** The algorithm that the word is written by. */
  WordAlgorithm writer() {
    WordAlgorithm other = writer;
    return other == null ? word() : other;
  }

  /** Notes the algorithm that the word is written by; null for the limit's own. */
  void writer(@Nullable WordAlgorithm other) {
    if (writer != other) {
      writer = other;
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

  /** Whether there was no counter when it was asked. */
  boolean isNew() {
    return isWord() ? at == Slots.ABSENT : cell == null;
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
