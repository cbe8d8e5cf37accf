package io.quotatree.core.memory;

import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.ledger.Later;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Step;
import io.quotatree.core.time.Moment;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The ledger in this process's memory.
 *
 * <p>Counters of one word (buckets, fixed windows, requests in flight) lie in flat arrays of slots
 * and are charged by compare-and-swap. Counters of several words (sliding windows and logs) are
 * cells.
 *
 * <p><b>All or nothing.</b> A plan is executed in two passes. The first asks all limits and changes
 * nothing, so a refused request writes nothing that others read. The second, where all grant,
 * charges them from the last in order to the first: the node's counter, which all share, is held
 * shortest. A charge that finds its limit used up meanwhile was outrun by another request: what
 * this one charged is taken back, and it asks again. In between others may be refused for room that
 * comes back, for nanoseconds; never is too much granted.
 *
 * <p><b>Bounded.</b> A counter in which nothing is used decides as a new one would, so it is
 * dropped wherever its place is wanted. Where {@code max_subjects} counters are in use, new
 * subjects share the counter of their caller, and if even that finds no room, one of all callers.
 *
 * <p>Safe for use by several threads. In steady state it allocates nothing.
 */
public final class MemoryLedger implements Ledger {

  /**
   * Whoever is outrun was so by a request that got through, so this many times in a row is no
   * contention.
   */
  private static final int MOST_OUTRUN = 1 << 20;

  private static final int SWEPT_AT_ONCE = 32_768;
  private static final long SWEEP_EVERY_MICROS = 10_000;

  private final Room room = new Room();
  private final Figures figures = new Figures();
  private final WordCounters words = new WordCounters(figures, room);
  private final CellCounters cells = new CellCounters(room);
  private final Consumer<BitSet> markUsed = words::mark;
  private final Corrections corrections;

  /** Held by the one thread that sweeps; nobody waits for it. */
  private final AtomicBoolean sweeping = new AtomicBoolean();

  /** When the last sweep was, and the table to go on with; read and written while sweeping. */
  private long sweptMicros = -SWEEP_EVERY_MICROS;

  private int sweptTable;

  /** An empty ledger; it takes memory as counters come. */
  public MemoryLedger() {
    corrections = new Corrections(figures, room, words, cells, this::known);
  }

  @Override
  public void adopt(Policy policy) {
    figures.adopt(policy, markUsed);
    room.max(policy.tree().maxSubjects());
  }

  /** Counters in the ledger, those included that no longer matter and were not dropped yet. */
  public long subjects() {
    return room.live();
  }

  /** Those of them that are a layer's. */
  public long subjects(Layer layer) {
    return room.live(layer);
  }

  /** How often a request was counted on an overflow counter for want of room. */
  public long overflows() {
    return room.turnedAway();
  }

  @Override
  public boolean execute(Plan plan, Moment moment, Verdict verdict, Later later) {
    Execution run = execution(verdict);
    run.begin(plan, moment, verdict, known(plan.policy()));
    touch(run);
    for (int outrun = 0; !attempt(run); outrun++) {
      if (outrun > MOST_OUTRUN) {
        throw new IllegalStateException(
            "outrun " + outrun + " times: two limits of the plan share a counter");
      }
      SpinLock.pause(outrun);
    }
    return true;
  }

  private void touch(Execution run) {
    long touched = 0;
    for (int i = 0; i < run.size(); i++) {
      Place place = run.place(i);
      touched += run.isWord(place) ? words.touch(place) : 0;
    }
    run.touched = touched;
  }

  private Figures.Known known(Policy policy) {
    return figures.known(policy, markUsed);
  }

  private static Execution execution(Verdict verdict) {
    if (verdict.scratch() instanceof Execution kept) {
      return kept;
    }
    Execution made = new Execution();
    verdict.scratch(made);
    return made;
  }

  /**
   * Asks all and, as far as accounting says, charges; false where that was outrun and taken back.
   */
  private boolean attempt(Execution run) {
    Plan plan = run.plan;
    run.verdict.begin(plan, run.moment);
    int refusal = -1;
    for (int i = 0; i < run.size(); i++) {
      Place place = run.place(i);
      if (place.overflow != Place.OWN) {
        run.verdict.overflowed(i);
      }
      if (!ask(run, place) && refusal < 0 && !plan.step(i).isShadow()) {
        refusal = i;
      }
    }
    if (refusal < 0) {
      return plan.costPermits() == 0 || charge(run, plan.size(), false);
    }
    run.verdict.refusedBy(refusal);
    return plan.costPermits() == 0 || charge(run, firstOf(plan, plan.step(refusal).layer()), true);
  }

  private boolean ask(Execution run, Place place) {
    Step step = place.step(run.plan);
    WordAlgorithm word = step.wordAlgorithm();
    return word != null ? words.ask(run, place, word) : cells.ask(run, place, step.algorithm());
  }

  /**
   * Charges the limits before a place of the plan that grant; of a refused request only the loose.
   */
  private boolean charge(Execution run, int end, boolean looseAlone) {
    boolean holds = false;
    for (int i = end - 1; i >= 0; i--) {
      Place place = run.place(i);
      Step step = place.step(run.plan);
      if (run.verdict.refuses(i) || (looseAlone && !step.isLoose())) {
        continue;
      }
      if (!chargeOne(run, place, step)) {
        undo(run, end);
        return false;
      }
      holds |= step.isInFlight();
    }
    if (holds) {
      hold(run, end);
    }
    return true;
  }

  private static void hold(Execution run, int end) {
    for (int i = 0; i < end; i++) {
      if (run.place(i).isCharged && run.plan.step(i).isInFlight()) {
        run.verdict.hold(i);
      }
    }
  }

  private boolean chargeOne(Execution run, Place place, Step step) {
    WordAlgorithm word = step.wordAlgorithm();
    boolean charged =
        word != null ? words.charge(run, place, word) : cells.charge(run, place, step.algorithm());
    if (!charged && lacksRoom(run, place, word != null)) {
      makeRoom(run, place);
    }
    return charged;
  }

  /** Whether a limit that granted was not charged since there is no room for its counter. */
  private boolean lacksRoom(Execution run, Place place, boolean isWord) {
    boolean isNew = isWord ? place.at == Slots.ABSENT : place.cell() == null;
    return isNew && !run.verdict.refuses(place.index) && !room.hasFor(place.owner(run.plan));
  }

  /**
   * Drops what no longer matters; if that makes no room, sends the subject to a counter that it
   * shares.
   */
  private void makeRoom(Execution run, Place place) {
    sweep(run.moment);
    if (!room.hasFor(place.owner(run.plan))) {
      if (place.overflow == Place.OWN) {
        room.turnAway();
      }
      place.sendOn(run.plan, run.known);
    }
  }

  /**
   * Looks through a part of the counters, at most every 10 ms, going on where the last sweep ended.
   * Where another thread is at it, there is nothing to do.
   */
  private void sweep(Moment moment) {
    if (!sweeping.compareAndSet(false, true)) {
      return;
    }
    try {
      if (moment.monotonicMicros() - sweptMicros >= SWEEP_EVERY_MICROS) {
        sweptMicros = moment.monotonicMicros();
        sweepOn(moment);
      }
    } finally {
      sweeping.set(false);
    }
  }

  private void sweepOn(Moment moment) {
    int tables = words.tables() + cells.tables();
    int looked = 0;
    for (int i = 0; i < tables && looked < SWEPT_AT_ONCE; i++) {
      int table = sweptTable;
      sweptTable = (sweptTable + 1) % tables;
      looked +=
          table < words.tables()
              ? words.sweep(table, moment)
              : cells.sweep(table - words.tables(), moment);
    }
  }

  private void undo(Execution run, int end) {
    for (int i = 0; i < end; i++) {
      undoOne(run, run.place(i));
    }
  }

  private void undoOne(Execution run, Place place) {
    if (!place.isCharged) {
      return;
    }
    place.isCharged = false;
    if (run.isWord(place)) {
      words.undo(run, place);
    } else {
      cells.undo(run, place);
    }
  }

  @Override
  public void undo(Plan plan, Verdict verdict, int index) {
    Execution run = execution(verdict);
    undoOne(run, run.place(index));
  }

  /** The place of the first step of a layer. */
  private static int firstOf(Plan plan, Layer layer) {
    int first = 0;
    while (plan.step(first).layer() != layer) {
      first++;
    }
    return first;
  }

  @Override
  public void release(Plan plan, Verdict verdict) {
    if (!verdict.isHolding()) {
      return;
    }
    Execution run = execution(verdict);
    for (int i = 0; i < plan.size(); i++) {
      if (verdict.holds(i)) {
        words.release(run, run.place(i));
      }
    }
    verdict.released();
  }

  @Override
  public Receipt receipt(Plan plan, Verdict verdict) {
    return corrections.receipt(execution(verdict), verdict);
  }

  @Override
  public void release(Receipt receipt, Moment moment) {
    if (receipt.endHolding()) {
      corrections.release(receipt, moment);
    }
  }

  @Override
  public boolean settle(Receipt receipt, Moment moment, long costPermits) {
    boolean open = receipt.endAccount();
    if (open) {
      corrections.settle(receipt, moment, costPermits);
    }
    return open;
  }

  @Override
  public boolean peek(Plan plan, Moment moment, Verdict verdict, Later later) {
    Execution run = execution(verdict);
    run.begin(plan, moment, verdict, known(plan.policy()));
    corrections.peek(run);
    return true;
  }

  @Override
  public boolean reset(Plan plan, Moment moment, Verdict verdict, Later later) {
    Execution run = execution(verdict);
    run.begin(plan, moment, verdict, known(plan.policy()));
    verdict.emptied(corrections.reset(run));
    return true;
  }

  @Override
  public void tidy(Moment moment) {
    sweep(moment);
  }
}
