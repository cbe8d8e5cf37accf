package io.quotatree.core.memory;

import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.time.Moment;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one word: asking, charging and taking back by compare-and-swap on {@link Slots}.
 */
final class WordCounters {

  private static final int SEGMENTS = 256;

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

  private Segment segment(Place place) {
    return segment(place.key1);
  }

  Segment segment(long key1) {
    return segments[number(key1)];
  }

  private Slots slots(Place place) {
    return slots.get(number(place.key1));
  }

  /**
   * Finds the bucket that a limit's counter is in or begins to be looked for in, and reads from it.
   *
   * <p>Most buckets are in no cache, and each takes hundreds of nanoseconds to come. Done for all
   * limits before any is asked, so that the processor fetches them at the same time.
   *
   * @return what was read, of no meaning
   */
  long locate(Place place) {
    Slots current = slots(place);
    long tag = Slots.tag(place.key2, 0);
    int home = current.home(tag);
    place.generation = current.generation;
    place.home = home;
    return current.tagAcquire(Slots.slot(home, tag, 0));
  }

  /** Asks one limit; true where it grants. Changes nothing but the figures of a changed limit. */
  boolean ask(Execution run, Place place) {
    int number = run.figures(place);
    long tag = Slots.tag(place.key2, number);
    for (int spins = 0; ; spins++) {
      Slots current = slots(place);
      if (current.generation != place.generation) {
        // It was not located, or its segment grew since.
        place.generation = current.generation;
        place.home = current.home(tag);
      }
      int at = current.find(tag, place.home);
      place.at = at;
      place.isOthers = false;
      if (at == Slots.ABSENT) {
        WordAlgorithm algorithm = place.word();
        long now = segment(place).notBeforeDrops(algorithm, run.moment);
        return decide(run, place, null, algorithm.fresh(now, 0));
      }
      long found = current.tagAcquire(at);
      int written = current.figures(at, found);
      long state = current.stateAcquire(at);
      boolean moved = current.tagAcquire(at) != found || current.figures(at, found) != written;
      if (state < 0 || moved || !Slots.sameKey(found, tag)) {
        SpinLock.pause(spins);
        continue;
      }
      place.tag = found;
      if (written == number) {
        return decide(run, place, null, state);
      }
      long writtenIn = figures.revision(written);
      if (writtenIn < run.revision()) {
        segment(place).adopt(tag, number, run.revision(), run.costPermits, run.moment);
        continue;
      }
      WordAlgorithm writer = figures.algorithm(written);
      // The counter already went over to quotas newer than this request's: it is asked as they say.
      return writtenIn > run.revision()
          ? decide(run, place, writer, state)
          : decideOthers(run, place, writer, state);
    }
  }

  /**
   * Decides on a word that another line of the same quotas wrote, as when a user comes by another
   * plan. The word stays as it is until somebody is granted: what was used above this line's limit
   * is still used for the other's, and wears off as the other says.
   */
  private static boolean decideOthers(
      Execution run, Place place, WordAlgorithm writer, long written) {
    WordAlgorithm algorithm = place.word();
    long now = run.now(algorithm);
    long word = algorithm.adopted(written, writer, now);
    place.isOthers = true;
    run.verdict.left(place.index, algorithm.remaining(word, now), writer.resetMicros(written, now));
    if (algorithm.grants(word, now, run.costPermits)) {
      run.verdict.grant(place.index);
      return true;
    }
    run.verdict.refuse(place.index, algorithm.waitMicros(written, writer, now, run.costPermits));
    return false;
  }

  /**
   * Decides on a word.
   *
   * @param writer the algorithm that wrote it; null for the limit's own
   */
  private static boolean decide(
      Execution run, Place place, @Nullable WordAlgorithm writer, long word) {
    place.writer(writer);
    WordAlgorithm algorithm = writer == null ? place.word() : writer;
    long now = run.now(algorithm);
    place.asked = word;
    tell(run, place, word);
    if (algorithm.grants(word, now, run.costPermits)) {
      place.charged = algorithm.charged(word, now, run.costPermits);
      run.verdict.grant(place.index);
      return true;
    }
    run.verdict.refuse(place.index, algorithm.waitMicros(word, now, run.costPermits));
    return false;
  }

  private static void tell(Execution run, Place place, long word) {
    WordAlgorithm told = place.word();
    WordAlgorithm writer = place.writer();
    boolean same = writer == told || writer.figures().equals(told.figures());
    run.verdict.word(place.index, same ? word : told.adopted(word, writer, run.now(writer)));
  }

  /**
   * Charges one limit that granted; false where it no longer does, or has to be asked elsewhere.
   */
  boolean charge(Execution run, Place place) {
    while (true) {
      if (place.at == Slots.ABSENT) {
        Made made = make(run, place);
        if (made != Made.FOUND) {
          return made == Made.MADE;
        }
      } else if (place.isOthers) {
        takeOver(run, place);
      } else if (swap(run, place)) {
        return true;
      }
      // Another thread was faster, or the word is in this line's figures now: ask again.
      if (!ask(run, place)) {
        return false;
      }
    }
  }

  private void takeOver(Execution run, Place place) {
    int number = run.figures(place);
    long tag = Slots.tag(place.key2, number);
    segment(place).adopt(tag, number, run.revision(), run.costPermits, run.moment);
  }

  private boolean swap(Execution run, Place place) {
    Slots current = slots(place);
    if (current.generation != place.generation
        || !current.stateSwap(place.at, place.asked, place.charged)) {
      return false;
    }
    if (!Slots.sameKey(current.tagAcquire(place.at), place.tag)) {
      // The slot went to another key meanwhile, and happened to hold the same word.
      withdraw(run, current, place.at, place.charged);
      return false;
    }
    // Where the tag differs in figures alone, the counter was rewritten after the swap, charge
    // included: one that was rewritten before would not hold a word that looks the same.
    place.isCharged = true;
    tell(run, place, place.charged);
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

  private Made make(Execution run, Place place) {
    WordAlgorithm algorithm = place.word();
    int number = run.figures(place);
    long tag = Slots.tag(place.key2, number);
    int owner = place.owner(run.plan);
    if (!room.hasFor(owner)) {
      return Made.NO_ROOM;
    }
    int offsetMillis = place.step().offsetMillis(run.plan);
    Segment segment = segment(place);
    segment.lock();
    try {
      if (segment.slots().find(tag) != Slots.ABSENT) {
        return Made.FOUND;
      }
      long now = segment.notBeforeDrops(algorithm, run.moment);
      place.asked = algorithm.fresh(now, offsetMillis);
      place.charged = algorithm.charged(place.asked, now, run.costPermits);
      segment.put(tag, place.charged, number, owner, run.moment);
      room.enter(owner);
      place.generation = segment.slots().generation;
      place.at = segment.slots().find(tag);
    } finally {
      segment.unlock();
    }
    place.tag = tag;
    place.isCharged = true;
    tell(run, place, place.charged);
    return Made.MADE;
  }

  /** Takes a charge back. */
  void undo(Execution run, Place place) {
    Slots current = slots(place);
    // Nobody charged since: what was is put back, exactly.
    if (current.generation == place.generation
        && current.stateSwap(place.at, place.charged, place.asked)) {
      return;
    }
    takeBack(run, place);
  }

  /** Gives back a permit in flight. */
  void release(Execution run, Place place) {
    takeBack(run, place);
  }

  private void takeBack(Execution run, Place place) {
    long tag = Slots.tag(place.key2, 0);
    for (int spins = 0; ; spins++) {
      Slots current = slots(place);
      int at = current.find(tag);
      if (at == Slots.ABSENT) {
        return;
      }
      long found = current.tagAcquire(at);
      long state = current.stateAcquire(at);
      if (state >= 0 && Slots.sameKey(found, tag)) {
        WordAlgorithm algorithm = figures.algorithm(current.figures(at, found));
        // Read after the state: whoever wrote it had read his time before.
        long elapsedMicros = run.moment.elapsedMicros();
        long undone = algorithm.undone(state, place.charged, elapsedMicros, run.costPermits);
        if (undone == state || current.stateSwap(at, state, undone)) {
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
