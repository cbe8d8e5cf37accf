package io.quotatree.core.memory;

import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.time.Moment;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The counters of one word: asking, charging and taking back by compare-and-swap on {@link Slots}.
 */
final class WordCounters {

  private static final int SEGMENTS = 1024;

  private final Figures figures;
  private final Room room;
  private final Segment[] segments = new Segment[SEGMENTS];

  /** By segment. */
  private final AtomicReferenceArray<Slots> slots = new AtomicReferenceArray<>(SEGMENTS);

  WordCounters(Figures figures, Room room) {
    this.figures = figures;
    this.room = room;
    for (int i = 0; i < SEGMENTS; i++) {
      segments[i] = new Segment(figures, room, slots, i);
    }
  }

  private static int number(long key1) {
    return (int) key1 & (SEGMENTS - 1);
  }

  private Segment segment(Execution run, int index) {
    return segment(run.key1[index]);
  }

  Segment segment(long key1) {
    return segments[number(key1)];
  }

  private Slots slots(Execution run, int index) {
    return slots.get(number(run.key1[index]));
  }

  /**
   * Finds the bucket that a limit's counter is in or begins to be looked for in, and reads from it.
   *
   * <p>Most buckets are in no cache, and each takes hundreds of nanoseconds to come. Done for all
   * limits before any is asked, so that the processor fetches them at the same time.
   */
  void locate(Execution run, int index) {
    Slots slots = slots(run, index);
    int home = slots.home(Slots.tag(run.key2[index], 0));
    run.slots[index] = slots;
    run.homes[index] = home;
    run.touched += slots.tagAcquire(home);
  }

  /** Asks one limit; true where it grants. Changes nothing but the figures of a changed limit. */
  boolean ask(Execution run, int index) {
    WordAlgorithm algorithm = run.word(index);
    int number = run.figures(index);
    long tag = Slots.tag(run.key2[index], number);
    for (int spins = 0; ; spins++) {
      Slots slots = slots(run, index);
      // The slots that were located, but for a segment that grew since.
      int home = slots == run.slots[index] ? run.homes[index] : slots.home(tag);
      int at = slots.find(tag, home);
      run.slots[index] = slots;
      run.homes[index] = home;
      run.at[index] = at;
      run.isOthers[index] = false;
      if (at == Slots.ABSENT) {
        long now = segment(run, index).notBeforeDrops(algorithm, run.moment);
        return decide(run, index, algorithm, algorithm.fresh(now, 0));
      }
      long found = slots.tagAcquire(at);
      int written = slots.figures(at, found);
      long state = slots.stateAcquire(at);
      boolean moved = slots.tagAcquire(at) != found || slots.figures(at, found) != written;
      if (state < 0 || moved || !Slots.sameKey(found, tag)) {
        SpinLock.pause(spins);
        continue;
      }
      run.tags[index] = found;
      if (written == number) {
        return decide(run, index, algorithm, state);
      }
      long writtenIn = figures.revision(written);
      if (writtenIn < run.revision()) {
        segment(run, index).adopt(tag, number, run.revision(), run.costPermits, run.moment);
        continue;
      }
      WordAlgorithm writer = figures.algorithm(written);
      // The counter already went over to quotas newer than this request's: it is asked as they say.
      return writtenIn > run.revision()
          ? decide(run, index, writer, state)
          : decideOthers(run, index, writer, state);
    }
  }

  /**
   * Decides on a word that another line of the same quotas wrote, as when a user comes by another
   * plan. The word stays as it is until somebody is granted: what was used above this line's limit
   * is still used for the other's, and wears off as the other says.
   */
  private static boolean decideOthers(
      Execution run, int index, WordAlgorithm writer, long written) {
    WordAlgorithm algorithm = run.word(index);
    long now = run.now(algorithm);
    long word = algorithm.adopted(written, writer, now);
    run.isOthers[index] = true;
    run.verdict.left(index, algorithm.remaining(word, now), writer.resetMicros(written, now));
    if (algorithm.grants(word, now, run.costPermits)) {
      run.verdict.grant(index);
      return true;
    }
    run.verdict.refuse(index, algorithm.waitMicros(written, writer, now, run.costPermits));
    return false;
  }

  private static boolean decide(Execution run, int index, WordAlgorithm algorithm, long word) {
    long now = run.now(algorithm);
    run.algorithms[index] = algorithm;
    run.asked[index] = word;
    tell(run, index, algorithm, word);
    if (algorithm.grants(word, now, run.costPermits)) {
      run.verdict.grant(index);
      return true;
    }
    run.verdict.refuse(index, algorithm.waitMicros(word, now, run.costPermits));
    return false;
  }

  private static void tell(Execution run, int index, WordAlgorithm writer, long word) {
    WordAlgorithm told = run.word(index);
    boolean same = writer == told || writer.figures().equals(told.figures());
    run.verdict.word(index, same ? word : told.adopted(word, writer, run.now(writer)));
  }

  /**
   * Charges one limit that granted; false where it no longer does, or has to be asked elsewhere.
   */
  boolean charge(Execution run, int index) {
    while (true) {
      if (run.at[index] == Slots.ABSENT) {
        Made made = make(run, index);
        if (made != Made.FOUND) {
          return made == Made.MADE;
        }
      } else if (run.isOthers[index]) {
        takeOver(run, index);
      } else if (swap(run, index)) {
        return true;
      }
      // Another thread was faster, or the word is in this line's figures now: ask again.
      if (!ask(run, index)) {
        return false;
      }
    }
  }

  private void takeOver(Execution run, int index) {
    int number = run.figures(index);
    long tag = Slots.tag(run.key2[index], number);
    segment(run, index).adopt(tag, number, run.revision(), run.costPermits, run.moment);
  }

  private boolean swap(Execution run, int index) {
    Slots slots = run.slots[index];
    WordAlgorithm algorithm = run.algorithms[index];
    if (slots == null || algorithm == null) {
      throw new IllegalStateException("a limit is asked before it is charged");
    }
    int at = run.at[index];
    long asked = run.asked[index];
    long charged = algorithm.charged(asked, run.now(algorithm), run.costPermits);
    if (!slots.stateSwap(at, asked, charged)) {
      return false;
    }
    if (!Slots.sameKey(slots.tagAcquire(at), run.tags[index])) {
      // The slot went to another key meanwhile, and happened to hold the same word.
      withdraw(run, slots, at, charged);
      return false;
    }
    // Where the tag differs in figures alone, the counter was rewritten after the swap, charge
    // included: one that was rewritten before would not hold a word that looks the same.
    run.charged[index] = charged;
    run.isCharged[index] = true;
    tell(run, index, algorithm, charged);
    return true;
  }

  /** Takes a charge out of a slot that turned out to be another key's. */
  private void withdraw(Execution run, Slots slots, int at, long charged) {
    while (true) {
      long tag = slots.tagAcquire(at);
      long state = slots.stateAcquire(at);
      if (state < 0 || !Slots.isLive(tag)) {
        return;
      }
      WordAlgorithm algorithm = figures.algorithm(slots.figures(at, tag));
      if (slots.stateSwap(at, state, algorithm.undone(state, charged, 0, run.costPermits))) {
        return;
      }
    }
  }

  private enum Made {
    MADE,
    FOUND,
    NO_ROOM
  }

  private Made make(Execution run, int index) {
    WordAlgorithm algorithm = run.word(index);
    int number = run.figures(index);
    long tag = Slots.tag(run.key2[index], number);
    int owner = run.owner(index);
    if (!room.hasFor(owner)) {
      return Made.NO_ROOM;
    }
    int offsetMillis = run.step(index).offsetMillis(run.plan);
    Segment segment = segment(run, index);
    long fresh;
    long charged;
    segment.lock();
    try {
      if (segment.slots().find(tag) != Slots.ABSENT) {
        return Made.FOUND;
      }
      long now = segment.notBeforeDrops(algorithm, run.moment);
      fresh = algorithm.fresh(now, offsetMillis);
      charged = algorithm.charged(fresh, now, run.costPermits);
      segment.put(tag, charged, number, owner, run.moment);
      room.enter(owner);
      run.slots[index] = segment.slots();
      run.at[index] = segment.slots().find(tag);
    } finally {
      segment.unlock();
    }
    run.tags[index] = tag;
    run.asked[index] = fresh;
    run.charged[index] = charged;
    run.isCharged[index] = true;
    tell(run, index, algorithm, charged);
    return Made.MADE;
  }

  /** Takes a charge back. */
  void undo(Execution run, int index) {
    Slots slots = run.slots[index];
    // Nobody charged since: what was is put back, exactly.
    if (slots != null && slots.stateSwap(run.at[index], run.charged[index], run.asked[index])) {
      return;
    }
    takeBack(run, index);
  }

  /** Gives back a permit in flight. */
  void release(Execution run, int index) {
    takeBack(run, index);
  }

  private void takeBack(Execution run, int index) {
    long tag = Slots.tag(run.key2[index], 0);
    for (int spins = 0; ; spins++) {
      Slots slots = slots(run, index);
      int at = slots.find(tag);
      if (at == Slots.ABSENT) {
        return;
      }
      long found = slots.tagAcquire(at);
      long state = slots.stateAcquire(at);
      if (state >= 0 && Slots.sameKey(found, tag)) {
        WordAlgorithm algorithm = figures.algorithm(slots.figures(at, found));
        // Read after the state: whoever wrote it had read his time before.
        long elapsedMicros = run.moment.elapsedMicros();
        long undone = algorithm.undone(state, run.charged[index], elapsedMicros, run.costPermits);
        if (undone == state || slots.stateSwap(at, state, undone)) {
          return;
        }
      }
      SpinLock.pause(spins);
    }
  }

  int tables() {
    return SEGMENTS;
  }

  /** Drops what no longer matters in one of the tables; answers how many slots were looked at. */
  int sweep(int table, Moment moment) {
    segments[table].sweep(moment);
    return segments[table].slots().slots();
  }

  void mark(BitSet inUse) {
    for (Segment segment : segments) {
      segment.mark(inUse);
    }
  }
}
