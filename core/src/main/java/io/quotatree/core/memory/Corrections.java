package io.quotatree.core.memory;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.algorithm.FixedWindow;
import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.ledger.Verdict.Standing;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Step;
import io.quotatree.core.time.Moment;
import java.util.function.Function;

/**
 * What is done to counters besides deciding: receipts are written, released and settled; counters
 * are looked at and emptied.
 *
 * <p>All of this is seldom beside decisions, and comes long after a counter was found. So counters
 * of one word are found anew and changed under their segment's lock: no counter is moved, dropped
 * or rewritten meanwhile, and only decisions that charge it race for its word, by compare-and-swap
 * as ever. They never wait.
 */
final class Corrections {

  private final Figures figures;
  private final Room room;
  private final WordCounters words;
  private final CellCounters cells;
  private final Function<Policy, Figures.Known> numbering;

  /** What becomes of a word; the time is read after it was. */
  private interface Change {
    long of(WordAlgorithm algorithm, long word, long now);
  }

  /** What came of a change. */
  private enum Came {
    NO_COUNTER,
    AS_IT_WAS,
    CHANGED
  }

  Corrections(
      Figures figures,
      Room room,
      WordCounters words,
      CellCounters cells,
      Function<Policy, Figures.Known> numbering) {
    this.figures = figures;
    this.room = room;
    this.words = words;
    this.cells = cells;
    this.numbering = numbering;
  }

  /** Writes down what a plan took whose execution is over. */
  Receipt receipt(Execution run, Verdict verdict) {
    Plan plan = run.plan;
    int granted = 0;
    for (int i = 0; i < plan.size(); i++) {
      granted += verdict.refuses(i) ? 0 : 1;
    }
    Receipt receipt = new Receipt(plan.policy(), plan.costPermits(), granted);
    for (int i = 0; i < plan.size(); i++) {
      // A shadow limit that would have refused took nothing.
      if (!verdict.refuses(i)) {
        Place place = run.place(i);
        receipt.add(place.step(plan), place.key1, place.key2, mark(run, place), place.owner(plan));
      }
    }
    if (verdict.isHolding()) {
      receipt.hold();
    }
    return receipt;
  }

  /** The word that the charge left; of a cell, where in it the charge is. */
  private static long mark(Execution run, Place place) {
    if (!run.isWord(place)) {
      return place.receipt;
    }
    if (run.plan.costPermits() > 0) {
      return place.charged;
    }
    WordAlgorithm algorithm = place.word(run.plan);
    // Nothing was charged; a debt must still know how its subject's windows lie.
    return algorithm.fresh(
        run.now(algorithm),
        algorithm instanceof FixedWindow ? place.step(run.plan).offsetMillis(run.plan) : 0);
  }

  void release(Receipt receipt, Moment moment) {
    for (int i = 0; i < receipt.size(); i++) {
      if (receipt.step(i).isInFlight()) {
        change(
            receipt.key1(i),
            receipt.key2(i),
            moment,
            (algorithm, word, now) -> algorithm.undone(word, 0, 0, 1));
      }
    }
  }

  void settle(Receipt receipt, Moment moment, long costPermits) {
    long more = costPermits - receipt.costPermits();
    for (int i = 0; i < receipt.size(); i++) {
      Step step = receipt.step(i);
      if (step.isInFlight() || more == 0) {
        continue;
      }
      if (more > 0) {
        owe(receipt, i, moment, more);
      } else if (step.layer() != Layer.NODE) {
        refund(receipt, i, moment, -more);
      }
    }
  }

  private void refund(Receipt receipt, int line, Moment moment, long costPermits) {
    long mark = receipt.mark(line);
    if (receipt.step(line).algorithm() instanceof WordAlgorithm) {
      change(
          receipt.key1(line),
          receipt.key2(line),
          moment,
          (algorithm, word, now) -> algorithm.refunded(word, mark, now, costPermits));
      return;
    }
    Cell cell = cells.table(receipt.key1(line)).find(receipt.key1(line), receipt.key2(line));
    if (cell != null) {
      cell.undo(mark, costPermits);
    }
  }

  /**
   * Takes a debt. A counter that was dropped meanwhile is made again, whether there is room or not:
   * there are no more of these than there are receipts.
   */
  private void owe(Receipt receipt, int line, Moment moment, long costPermits) {
    Algorithm algorithm = receipt.step(line).algorithm();
    long key1 = receipt.key1(line);
    long key2 = receipt.key2(line);
    if (algorithm instanceof WordAlgorithm word) {
      Change debt = (written, state, now) -> written.owed(state, now, costPermits);
      while (change(key1, key2, moment, debt) == Came.NO_COUNTER) {
        make(receipt, line, word, moment);
      }
      return;
    }
    long now = moment.micros(algorithm.onWindowTime());
    Cell cell;
    do {
      cell = cells.table(key1).living(key1, key2, algorithm, receipt.owner(line), moment);
    } while (!cell.owe(algorithm, now, costPermits));
  }

  private void make(Receipt receipt, int line, WordAlgorithm algorithm, Moment moment) {
    int number = numbering.apply(receipt.policy()).number(receipt.step(line));
    long tag = Slots.tag(receipt.key2(line), number);
    Segment segment = words.segment(receipt.key1(line));
    segment.lock();
    try {
      if (Slots.find(segment.slots(), tag) == Slots.ABSENT) {
        long now = segment.notBeforeDrops(algorithm, moment);
        long empty = algorithm.emptied(receipt.mark(line), now);
        segment.put(tag, empty, number, receipt.owner(line), moment);
        room.enter(receipt.owner(line));
      }
    } finally {
      segment.unlock();
    }
  }

  private Came change(long key1, long key2, Moment moment, Change change) {
    Segment segment = words.segment(key1);
    segment.lock();
    try {
      long[] slots = segment.slots();
      int at = Slots.find(slots, Slots.tag(key2, 0));
      if (at == Slots.ABSENT) {
        return Came.NO_COUNTER;
      }
      WordAlgorithm algorithm =
          figures.algorithm(Slots.figures(slots, at, Slots.tagAcquire(slots, at)));
      while (true) {
        long word = Slots.stateAcquire(slots, at);
        // Read after the word: whoever wrote it had read his time before.
        long now = moment.micros(algorithm.onWindowTime()) + moment.elapsedMicros();
        long changed = change.of(algorithm, word, now);
        if (changed == word) {
          return Came.AS_IT_WAS;
        }
        // Where it fails, a decision was charged or taken back: its word is read anew.
        if (Slots.stateSwap(slots, at, word, changed)) {
          return Came.CHANGED;
        }
      }
    } finally {
      segment.unlock();
    }
  }

  /** Looks at all counters of a plan. */
  void peek(Execution run) {
    run.verdict.begin(run.plan, run.moment);
    for (int i = 0; i < run.size(); i++) {
      Place place = run.place(i);
      if (run.isWord(place)) {
        run.verdict.standing(i, lookAtWord(run, place, place.word(run.plan)));
      } else {
        cells.ask(run, place, place.step(run.plan).algorithm());
        Cell cell = place.cell();
        boolean absent = cell == null || cell.isRetired();
        run.verdict.standing(i, absent ? Standing.ABSENT : Standing.UNDER_THIS_LIMIT);
      }
    }
  }

  private Standing lookAtWord(Execution run, Place place, WordAlgorithm asked) {
    long now = run.now(asked);
    Segment segment = words.segment(place.key1);
    segment.lock();
    try {
      long[] slots = segment.slots();
      int at = Slots.find(slots, Slots.tag(place.key2, 0));
      if (at == Slots.ABSENT) {
        run.verdict.word(place.index, asked.fresh(now, 0));
        sayWait(run, place.index, asked.waitMicros(asked.fresh(now, 0), now, run.costPermits));
        return Standing.ABSENT;
      }
      WordAlgorithm writer =
          figures.algorithm(Slots.figures(slots, at, Slots.tagAcquire(slots, at)));
      long word = Slots.stateAcquire(slots, at);
      sayWait(run, place.index, asked.waitMicros(word, writer, now, run.costPermits));
      if (writer.figures().equals(asked.figures())) {
        run.verdict.word(place.index, word);
        return Standing.UNDER_THIS_LIMIT;
      }
      long adopted = asked.adopted(word, writer, now);
      run.verdict.left(place.index, asked.remaining(adopted, now), writer.resetMicros(word, now));
      return Standing.UNDER_ANOTHER_LIMIT;
    } finally {
      segment.unlock();
    }
  }

  private static void sayWait(Execution run, int index, long waitMicros) {
    if (waitMicros == 0) {
      run.verdict.grant(index);
    } else {
      run.verdict.refuse(index, waitMicros);
    }
  }

  /** Empties all counters of a plan but those in flight; answers how many had something used. */
  int reset(Execution run) {
    int emptied = 0;
    for (int i = 0; i < run.size(); i++) {
      emptied += empty(run, run.place(i)) ? 1 : 0;
    }
    return emptied;
  }

  private boolean empty(Execution run, Place place) {
    if (run.isWord(place)) {
      Change emptying =
          (algorithm, word, now) ->
              algorithm.isFresh(word, now) ? word : algorithm.emptied(word, now);
      return change(place.key1, place.key2, run.moment, emptying) == Came.CHANGED;
    }
    Algorithm algorithm = place.step(run.plan).algorithm();
    return cells.table(place.key1).reset(place.key1, place.key2, algorithm, run.moment);
  }
}
