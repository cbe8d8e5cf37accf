package io.quotatree.core.memory;

import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.time.Moment;
import java.util.BitSet;

/**
 * The counters of one word: asking, charging and taking back by compare-and-swap on {@link Slots}.
 */
final class WordCounters {

  private static final int SEGMENTS = 256;

  private final Figures figures;
  private final Room room;
  private final Segment[] segments = new Segment[SEGMENTS];

  private final SlotTable table = new SlotTable(SEGMENTS);

  WordCounters(Figures figures, Room room) {
    this.figures = figures;
    this.room = room;
    for (int i = 0; i < SEGMENTS; i++) {
      segments[i] = new Segment(figures, room, table, i);
    }
  }

  private static int number(long key1) {
    return (int) key1 & (SEGMENTS - 1);
  }

  Segment segment(long key1) {
    return segments[number(key1)];
  }

  private long[] slots(Place place) {
    return table.slots(number(place.key1));
  }

  /**
   * Reads from where a limit's counter is looked for first.
   *
   * <p>Most buckets are in no cache, and each takes hundreds of nanoseconds to come. Done for all
   * limits before any is asked, so that the processor fetches them at the same time. Where to look
   * follows from numbers that are near, not from the head of the slots, which may have to come
   * first itself; a number that is old leads elsewhere, and does no harm.
   *
   * @return what was read, of no meaning
   */
  long touch(Place place) {
    long[] current = slots(place);
    int at = Slots.first(table.buckets(number(place.key1)), place.tag);
    return at < current.length ? Slots.tagAcquire(current, at) : 0;
  }

  /** Asks one limit; true where it grants. Changes nothing but the figures of a changed limit. */
  boolean ask(Execution run, Place place, WordAlgorithm algorithm) {
    long[] current = slots(place);
    int at = Slots.find(current, place.tag);
    long word = at == Slots.ABSENT ? Slots.IN_TRANSIT : Slots.word(current, at, place.tag);
    if (word < 0) {
      return askAgain(run, place, algorithm);
    }
    place.generation = Slots.generation(current);
    place.at = at;
    place.writer(null);
    return decide(run, place, algorithm, word);
  }

  /**
   * Asks where there is no counter, or one that is being moved, is written in figures of another
   * limit, or says aside in which.
   */
  private boolean askAgain(Execution run, Place place, WordAlgorithm algorithm) {
    for (int spins = 0; ; spins++) {
      long[] current = slots(place);
      int at = Slots.find(current, place.tag);
      place.generation = Slots.NO_GENERATION;
      place.at = at;
      place.writer(null);
      if (at == Slots.ABSENT) {
        long now = segment(place.key1).notBeforeDrops(algorithm, run.moment);
        return decide(run, place, algorithm, algorithm.fresh(now, 0));
      }
      long found = Slots.tagAcquire(current, at);
      int written = Slots.figures(current, at, found);
      long word = Slots.stateAcquire(current, at);
      if (word < 0
          || !Slots.sameKey(found, place.tag)
          || Slots.isMoved(current, at, found, written)) {
        SpinLock.pause(spins);
        continue;
      }
      if (written == place.number) {
        // Not the number's: windows share one, whatever they permit.
        place.generation = Slots.generation(current);
        return decide(run, place, algorithm, word);
      }
      long writtenIn = figures.revision(written);
      if (writtenIn < run.known.revision) {
        takeOver(run, place);
        continue;
      }
      WordAlgorithm writer = figures.algorithm(written);
      if (writtenIn == run.known.revision) {
        return decideOthers(run, place, writer, word);
      }
      // The counter went over to quotas newer than this request's: it is asked as they say.
      place.generation = Slots.generation(current);
      place.writer(writer);
      return decide(run, place, writer, word);
    }
  }

  /**
   * Decides on a word that another line of the same quotas wrote, as when a user comes by another
   * plan. The word stays as it is until somebody is granted: what was used above this line's limit
   * is still used for the other's, and wears off as the other says.
   */
  private static boolean decideOthers(
      Execution run, Place place, WordAlgorithm writer, long writtenWord) {
    WordAlgorithm algorithm = place.word(run.plan);
    long now = run.now(algorithm);
    long word = algorithm.adopted(writtenWord, writer, now);
    run.verdict.left(
        place.index, algorithm.remaining(word, now), writer.resetMicros(writtenWord, now));
    if (algorithm.grants(word, now, run.costPermits)) {
      run.verdict.grant(place.index);
      return true;
    }
    run.verdict.refuse(
        place.index, algorithm.waitMicros(writtenWord, writer, now, run.costPermits));
    return false;
  }

  /** Decides on a word, by the limit's own algorithm or one that went before it. */
  private static boolean decide(Execution run, Place place, WordAlgorithm algorithm, long word) {
    long now = run.now(algorithm);
    long charged = algorithm.charged(word, now, run.costPermits);
    place.asked = word;
    place.charged = charged;
    tell(run, place, word);
    if (charged != WordAlgorithm.REFUSED) {
      run.verdict.grant(place.index);
      return true;
    }
    run.verdict.refuse(place.index, algorithm.waitMicros(word, now, run.costPermits));
    return false;
  }

  private static void tell(Execution run, Place place, long word) {
    WordAlgorithm writer = place.writer();
    run.verdict.word(place.index, writer == null ? word : inOwnFigures(run, place, writer, word));
  }

  private static long inOwnFigures(Execution run, Place place, WordAlgorithm writer, long word) {
    WordAlgorithm told = place.word(run.plan);
    return writer.figures().equals(told.figures())
        ? word
        : told.adopted(word, writer, run.now(writer));
  }

  /**
   * Charges one limit that granted; false where it no longer does, or has to be asked elsewhere.
   */
  boolean charge(Execution run, Place place, WordAlgorithm algorithm) {
    return swap(run, place) || chargeAgain(run, place, algorithm);
  }

  /** Charges where another thread was faster, or the counter is not there as it has to be. */
  private boolean chargeAgain(Execution run, Place place, WordAlgorithm algorithm) {
    do {
      if (place.at == Slots.ABSENT) {
        Made made = make(run, place, algorithm);
        if (made != Made.FOUND) {
          return made == Made.MADE;
        }
      } else if (place.generation == Slots.NO_GENERATION) {
        takeOver(run, place);
      }
      if (!ask(run, place, algorithm)) {
        return false;
      }
    } while (!swap(run, place));
    return true;
  }

  private void takeOver(Execution run, Place place) {
    segment(place.key1)
        .adopt(place.tag, place.number, run.known.revision, run.costPermits, run.moment);
  }

  private boolean swap(Execution run, Place place) {
    long[] current = slots(place);
    if (Slots.generation(current) != place.generation
        || !Slots.stateSwap(current, place.at, place.asked, place.charged)) {
      return false;
    }
    if (!Slots.sameKey(Slots.tagAcquire(current, place.at), place.tag)) {
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
  private void withdraw(Execution run, long[] slots, int at, long charged) {
    while (true) {
      long tag = Slots.tagAcquire(slots, at);
      long state = Slots.stateAcquire(slots, at);
      if (state < 0 || !Slots.isLive(tag)) {
        return;
      }
      WordAlgorithm algorithm = figures.algorithm(Slots.figures(slots, at, tag));
      if (Slots.stateSwap(slots, at, state, algorithm.undone(state, charged, 0, run.costPermits))) {
        return;
      }
    }
  }

  private enum Made {
    MADE,
    FOUND,
    NO_ROOM
  }

  private Made make(Execution run, Place place, WordAlgorithm algorithm) {
    int owner = place.owner(run.plan);
    if (!room.hasFor(owner)) {
      return Made.NO_ROOM;
    }
    int offsetMillis = place.step(run.plan).offsetMillis(run.plan);
    Segment segment = segment(place.key1);
    segment.lock();
    try {
      if (Slots.find(segment.slots(), place.tag) != Slots.ABSENT) {
        return Made.FOUND;
      }
      long now = segment.notBeforeDrops(algorithm, run.moment);
      place.asked = algorithm.fresh(now, offsetMillis);
      // It is granted: the limit granted the same word a moment ago.
      place.charged = algorithm.charged(place.asked, now, run.costPermits);
      place.at = segment.put(place.tag, place.charged, place.number, owner, run.moment);
      room.enter(owner);
      place.generation = Slots.generation(segment.slots());
    } finally {
      segment.unlock();
    }
    place.isCharged = true;
    tell(run, place, place.charged);
    return Made.MADE;
  }

  /** Takes a charge back. */
  void undo(Execution run, Place place) {
    long[] current = slots(place);
    // Nobody charged since: what was is put back, exactly.
    if (Slots.generation(current) == place.generation
        && Slots.stateSwap(current, place.at, place.charged, place.asked)) {
      return;
    }
    takeBack(run, place);
  }

  /** Gives back a permit in flight. */
  void release(Execution run, Place place) {
    takeBack(run, place);
  }

  private void takeBack(Execution run, Place place) {
    long tag = place.tag;
    for (int spins = 0; ; spins++) {
      long[] current = slots(place);
      int at = Slots.find(current, tag);
      if (at == Slots.ABSENT) {
        return;
      }
      long found = Slots.tagAcquire(current, at);
      long state = Slots.stateAcquire(current, at);
      if (state >= 0 && Slots.sameKey(found, tag)) {
        WordAlgorithm algorithm = figures.algorithm(Slots.figures(current, at, found));
        // Read after the state: whoever wrote it had read his time before.
        long elapsedMicros = run.moment.elapsedMicros();
        long undone = algorithm.undone(state, place.charged, elapsedMicros, run.costPermits);
        if (undone == state || Slots.stateSwap(current, at, state, undone)) {
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
    return Slots.size(segments[table].slots());
  }

  void mark(BitSet inUse) {
    for (Segment segment : segments) {
      segment.mark(inUse);
    }
  }
}
