package io.quotatree.core.memory;

import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.time.Moment;
import java.util.BitSet;

/**
 * A part of the slot table that grows by itself.
 *
 * <p>Counters are charged without a lock. They are made, moved and dropped under this object's
 * lock; growing moves a segment's slots alone, so that nobody waits long.
 */
final class Segment extends SpinLock {

  private static final long[] NONE = Slots.of(1, Slots.NO_GENERATION + 1);
  private static final int FIRST_BUCKETS = 16;
  private static final int DOUBLING_UP_TO_BUCKETS = 64;

  /** Memory is given back where one in so many slots would do. */
  private static final int GIVEN_BACK_FROM = 4;

  private final Figures figures;
  private final Room room;

  private final SlotTable table;

  private final int number;

  /**
   * The latest times by which a counter was dropped. A counter is made no earlier: a thread with a
   * time from before would have it granted twice. Written under the lock, read without it.
   */
  private volatile long droppedMonotonic;

  private volatile long droppedWindow;

  /** Slots that are not empty, dropped ones included; guarded by the lock. */
  private int used;

  Segment(Figures figures, Room room, SlotTable table, int number) {
    this.figures = figures;
    this.room = room;
    this.table = table;
    this.number = number;
    table.use(number, NONE);
  }

  long[] slots() {
    return table.slots(number);
  }

  /** A time of a moment, but not before the latest by which a counter was dropped here. */
  long notBeforeDrops(WordAlgorithm algorithm, Moment moment) {
    boolean window = algorithm.onWindowTime();
    return Math.max(moment.micros(window), window ? droppedWindow : droppedMonotonic);
  }

  /**
   * Puts a counter where there is none. Called under the lock, after a look under the lock found
   * none.
   *
   * @param tag its tag
   * @param state its word
   * @param figure the figures that the word is written in
   * @param owner whose room it takes
   * @return where it is
   */
  int put(long tag, long state, int figure, int owner, Moment moment) {
    long[] current = slots();
    int at = reusable(current, tag, moment);
    if (at == Slots.ABSENT && (current == NONE || !fits(used + 1, Slots.size(current)))) {
      rebuild(current, moment);
      current = slots();
    }
    at = at == Slots.ABSENT ? empty(current, tag) : at;
    // Last the state: a charge that finds it finds the tag as well.
    Slots.stateRelease(current, at, Slots.IN_TRANSIT);
    Slots.aside(current, at, figure, owner);
    Slots.tagRelease(current, at, tag);
    Slots.stateRelease(current, at, state);
    return at;
  }

  /** A slot on a key's way that was used and no longer matters, so that churn needs no new ones. */
  private int reusable(long[] current, long tag, Moment moment) {
    int home = Slots.home(current, tag);
    int bucket = home;
    do {
      boolean ends = false;
      for (int turn = 0; turn < Slots.SLOTS_PER_BUCKET; turn++) {
        int at = Slots.slot(bucket, tag, turn);
        long known = Slots.tagAcquire(current, at);
        if (known == Slots.DROPPED || (Slots.isLive(known) && drop(current, at, known, moment))) {
          return at;
        }
        ends |= known == Slots.EMPTY;
      }
      if (ends) {
        return Slots.ABSENT;
      }
      bucket = Slots.next(current, bucket);
    } while (bucket != home);
    return Slots.ABSENT;
  }

  /** The first empty slot on a key's way; there is one, since slots are never all used. */
  private int empty(long[] current, long tag) {
    int bucket = Slots.home(current, tag);
    while (true) {
      for (int turn = 0; turn < Slots.SLOTS_PER_BUCKET; turn++) {
        int at = Slots.slot(bucket, tag, turn);
        if (Slots.tagAcquire(current, at) == Slots.EMPTY) {
          used++;
          return at;
        }
      }
      bucket = Slots.next(current, bucket);
    }
  }

  /** Drops a slot's counter if nothing is used in it. */
  private boolean drop(long[] current, int at, long tag, Moment moment) {
    long state = Slots.stateAcquire(current, at);
    WordAlgorithm algorithm = figures.algorithm(Slots.figures(current, at, tag));
    if (!algorithm.isFresh(state, moment.micros(algorithm.onWindowTime()))
        || !Slots.stateSwap(current, at, state, Slots.IN_TRANSIT)) {
      return false;
    }
    droppedMonotonic = Math.max(droppedMonotonic, moment.monotonicMicros());
    droppedWindow = Math.max(droppedWindow, moment.windowMicros());
    int owner = Slots.owner(current, at);
    Slots.tagRelease(current, at, Slots.DROPPED);
    room.leave(owner);
    return true;
  }

  /**
   * At most three quarters of the slots: what a key's home bucket has no place for is then found
   * near.
   */
  private static boolean fits(int taken, int slots) {
    return 4L * taken <= 3L * slots;
  }

  /** Makes room: clears what was dropped, or moves what still matters to more slots. */
  private void rebuild(long[] old, Moment moment) {
    int live = old == NONE ? 0 : dropAll(old, moment);
    if (old != NONE) {
      used = clear(old);
      // Room for one slot in 32 at least, or the next counters would have it all looked through.
      if (32L * used <= 23L * Slots.size(old)) {
        return;
      }
    }
    moveAll(old, live);
  }

  private void moveAll(long[] old, int live) {
    long[] grown = Slots.of(buckets(live), Slots.generation(old) + 1);
    for (int number = 0; number < Slots.size(old); number++) {
      int at = Slots.at(number);
      long tag = Slots.tagAcquire(old, at);
      if (Slots.isLive(tag)) {
        move(old, at, tag, grown);
      }
    }
    used = live;
    table.use(number, grown);
  }

  /**
   * Makes dropped slots empty again, but those that other counters are looked for behind; answers
   * how many slots are not empty.
   */
  private static int clear(long[] current) {
    int taken = 0;
    for (int bucket = Slots.at(0); bucket < current.length; bucket += Slots.WORDS_PER_BUCKET) {
      boolean isPassed = isPassed(current, bucket);
      for (int at = bucket; at < bucket + Slots.SLOT_WORDS; at += 2) {
        long tag = Slots.tagAcquire(current, at);
        if (tag == Slots.DROPPED && !isPassed) {
          Slots.tagRelease(current, at, Slots.EMPTY);
        } else if (tag != Slots.EMPTY) {
          taken++;
        }
      }
    }
    return taken;
  }

  /** Whether the way to a living counter leads over a bucket. */
  private static boolean isPassed(long[] current, int bucket) {
    int at = bucket;
    do {
      boolean ends = false;
      for (int slot = at; slot < at + Slots.SLOT_WORDS; slot += 2) {
        long tag = Slots.tagAcquire(current, slot);
        ends |= tag == Slots.EMPTY;
        if (at != bucket
            && Slots.isLive(tag)
            && Slots.distance(current, Slots.home(current, tag), at)
                >= Slots.distance(current, bucket, at)) {
          return true;
        }
      }
      if (ends) {
        return false;
      }
      at = Slots.next(current, at);
    } while (at != bucket);
    return false;
  }

  private int dropAll(long[] current, Moment moment) {
    int live = 0;
    for (int number = 0; number < Slots.size(current); number++) {
      int at = Slots.at(number);
      long tag = Slots.tagAcquire(current, at);
      if (Slots.isLive(tag) && !drop(current, at, tag, moment)) {
        live++;
      }
    }
    return live;
  }

  private static void move(long[] old, int at, long tag, long[] grown) {
    int bucket = Slots.home(grown, tag);
    while (true) {
      for (int turn = 0; turn < Slots.SLOTS_PER_BUCKET; turn++) {
        int to = Slots.slot(bucket, tag, turn);
        if (Slots.tagAcquire(grown, to) == Slots.EMPTY) {
          Slots.aside(grown, to, Slots.figuresAside(old, at), Slots.owner(old, at));
          Slots.stateRelease(grown, to, Slots.stateTake(old, at));
          Slots.tagRelease(grown, to, tag);
          return;
        }
      }
      bucket = Slots.next(grown, bucket);
    }
  }

  /**
   * Buckets for so many counters and some more: large segments grow by a fifth, so that little is
   * idle.
   */
  private static int buckets(int live) {
    int wanted = live + live / 16 + 1;
    int buckets = FIRST_BUCKETS;
    while (!fits(wanted, buckets * Slots.SLOTS_PER_BUCKET)) {
      buckets += buckets < DOUBLING_UP_TO_BUCKETS ? buckets : buckets / 5;
    }
    return buckets;
  }

  /**
   * Rewrites a counter in the figures of a limit of its shape, unless somebody else was faster, for
   * the same limit or a newer revision of quotas. A counter that was written before the given
   * revision is rewritten in any case; one that another line of the same quotas wrote only if this
   * limit grants a cost: then it covers all that is used, and nothing is forgotten.
   */
  void adopt(long wantedTag, int figure, long revision, long costPermits, Moment moment) {
    lock();
    try {
      long[] current = slots();
      int at = Slots.find(current, wantedTag);
      if (at == Slots.ABSENT) {
        return;
      }
      int written = Slots.figures(current, at, Slots.tagAcquire(current, at));
      long writtenIn = figures.revision(written);
      if (written == figure || writtenIn > revision) {
        return;
      }
      WordAlgorithm algorithm = figures.algorithm(figure);
      long state = Slots.stateTake(current, at);
      long now = later(algorithm, moment);
      long word = algorithm.adopted(state, figures.algorithm(written), now);
      if (writtenIn < revision || algorithm.grants(word, now, costPermits)) {
        Slots.aside(current, at, figure, Slots.owner(current, at));
        Slots.tagRelease(current, at, wantedTag);
        Slots.stateRelease(current, at, word);
      } else {
        Slots.stateRelease(current, at, state);
      }
    } finally {
      unlock();
    }
  }

  /** Read anew: what was used is worked out now, not when a stalled thread was told the time. */
  private static long later(WordAlgorithm algorithm, Moment moment) {
    return moment.micros(algorithm.onWindowTime()) + moment.elapsedMicros();
  }

  /** Drops all counters that no longer matter, and gives memory back where few are left. */
  void sweep(Moment moment) {
    lock();
    try {
      long[] current = slots();
      int live = dropAll(current, moment);
      int wanted = buckets(live) * Slots.SLOTS_PER_BUCKET;
      if (wanted <= Slots.size(current) / GIVEN_BACK_FROM) {
        moveAll(current, live);
      }
    } finally {
      unlock();
    }
  }

  /** Marks the figures that are in use. */
  void mark(BitSet inUse) {
    lock();
    try {
      long[] current = slots();
      for (int i = 0; i < Slots.size(current); i++) {
        int at = Slots.at(i);
        long tag = Slots.tagAcquire(current, at);
        if (Slots.isLive(tag)) {
          inUse.set(Slots.figures(current, at, tag));
        }
      }
    } finally {
      unlock();
    }
  }
}
