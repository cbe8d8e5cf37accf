package io.quotatree.core.memory;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.time.Moment;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a part of all keys: an open hash table, read without a lock.
 *
 * <p>Cells are added under this object's lock; a retired cell stays in its place until the table is
 * rebuilt, and is passed over.
 */
final class Cells extends SpinLock {

  private static final int FIRST_PLACES = 8;

  private final Room room;

  /** Replaced under the lock, read by all; a cell is complete before it is put into a place. */
  private volatile @Nullable Held[] places = new Held[FIRST_PLACES];

  /**
   * The latest times by which a cell was retired; a cell is made no earlier. Guarded by the lock.
   */
  private long retiredMonotonic;

  private long retiredWindow;

  /** Places that are not empty; guarded by the lock. */
  private int used;

  /**
   * A cell with the algorithm that made it, by which it can be told when the cell no longer
   * matters.
   */
  private record Held(Cell cell, Algorithm algorithm) {}

  Cells(Room room) {
    this.room = room;
  }

  @Nullable Cell find(long key1, long key2) {
    @Nullable Held[] current = places;
    int mask = current.length - 1;
    for (int at = (int) key1 & mask; ; at = (at + 1) & mask) {
      Held held = current[at];
      if (held == null) {
        return null;
      }
      if (held.cell.key1 == key1 && held.cell.key2 == key2) {
        return held.cell;
      }
    }
  }

  /**
   * A time of a moment, but not before the latest by which a cell was retired here. Under the lock.
   */
  private long notBeforeRetired(Algorithm algorithm, Moment moment) {
    boolean window = algorithm.onWindowTime();
    return Math.max(moment.micros(window), window ? retiredWindow : retiredMonotonic);
  }

  /** A living cell of a key: a new one where there is none. */
  Cell living(long key1, long key2, Algorithm algorithm, int owner, Moment moment) {
    lock();
    try {
      Cell known = find(key1, key2);
      if (known != null && !known.isRetired()) {
        return known;
      }
      long now = notBeforeRetired(algorithm, moment);
      Cell made = Cell.of(algorithm, now, key1, key2, owner);
      put(made, algorithm, moment);
      room.enter(owner);
      return made;
    } finally {
      unlock();
    }
  }

  /**
   * Empties a key's cell: retires it, whatever it counts. Whoever charges it meanwhile was charged
   * before, or finds it retired and goes on with a new one.
   *
   * @return whether anything was used in it
   */
  boolean reset(long key1, long key2, Algorithm algorithm, Moment moment) {
    lock();
    try {
      Cell cell = find(key1, key2);
      if (cell == null || cell.isRetired()) {
        return false;
      }
      boolean used = cell.retireNow(algorithm, moment.micros(algorithm.onWindowTime()));
      noteRetired(cell, moment);
      return used;
    } finally {
      unlock();
    }
  }

  /** Puts a cell where there is none that is alive. Called under the lock. */
  private void put(Cell cell, Algorithm algorithm, Moment moment) {
    if (2 * (used + 1) > places.length) {
      rebuild(moment);
    }
    @Nullable Held[] current = places;
    int mask = current.length - 1;
    int at = (int) cell.key1 & mask;
    while (true) {
      Held held = current[at];
      if (held == null) {
        used++;
        break;
      }
      if (held.cell.key1 == cell.key1 && held.cell.key2 == cell.key2) {
        break;
      }
      at = (at + 1) & mask;
    }
    current[at] = new Held(cell, algorithm);
    places = current;
  }

  private void rebuild(Moment moment) {
    int live = retireAll(moment);
    @Nullable Held[] old = places;
    int length = FIRST_PLACES;
    while (length < 3 * (live + 1)) {
      length *= 2;
    }
    @Nullable Held[] grown = new Held[length];
    for (Held held : old) {
      if (held != null && !held.cell.isRetired()) {
        int at = (int) held.cell.key1 & (length - 1);
        while (grown[at] != null) {
          at = (at + 1) & (length - 1);
        }
        grown[at] = held;
      }
    }
    used = live;
    places = grown;
  }

  private int retireAll(Moment moment) {
    int live = 0;
    for (Held held : places) {
      if (held != null && !held.cell.isRetired() && !retire(held, moment)) {
        live++;
      }
    }
    return live;
  }

  private boolean retire(Held held, Moment moment) {
    boolean retired =
        held.cell.retire(held.algorithm, moment.micros(held.algorithm.onWindowTime()));
    if (retired) {
      noteRetired(held.cell, moment);
    }
    return retired;
  }

  private void noteRetired(Cell cell, Moment moment) {
    retiredMonotonic = Math.max(retiredMonotonic, moment.monotonicMicros());
    retiredWindow = Math.max(retiredWindow, moment.windowMicros());
    room.leave(cell.owner);
  }

  /** Retires all cells that no longer matter; answers how many places there are. */
  int sweep(Moment moment) {
    lock();
    try {
      retireAll(moment);
      return places.length;
    } finally {
      unlock();
    }
  }
}
