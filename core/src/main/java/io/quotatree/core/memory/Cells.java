package io.quotatree.core.memory;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.time.Moment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a part of all keys: an open hash table, read without a lock.
 *
 * <p>Cells are added under this object's lock; a retired cell stays in its place until the table is
 * rebuilt, and is passed over.
 */
final class Cells extends SpinLock {

  private static final int FIRST_PLACES = 8;
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(Cell[].class);

  private final Room room;

  /**
   * Replaced, and its elements written with release, under the lock; read by all, so that whoever
   * finds a cell finds it complete.
   */
  private volatile @Nullable Cell[] places = new Cell[FIRST_PLACES];

  /**
   * The latest times by which a cell was retired; a cell is made no earlier. Guarded by the lock.
   */
  private long retiredMonotonic;

  private long retiredWindow;

  /** Places that are not empty; guarded by the lock. */
  private int used;

  Cells(Room room) {
    this.room = room;
  }

  private static @Nullable Cell cellAcquire(@Nullable Cell[] places, int at) {
    return (Cell) CELL.getAcquire(places, at);
  }

  @Nullable Cell find(long key1, long key2) {
    @Nullable Cell[] current = places;
    int mask = current.length - 1;
    for (int at = (int) key1 & mask; ; at = (at + 1) & mask) {
      Cell cell = cellAcquire(current, at);
      if (cell == null || (cell.key1 == key1 && cell.key2 == key2)) {
        return cell;
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
      put(made, moment);
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
  private void put(Cell cell, Moment moment) {
    if (2 * (used + 1) > places.length) {
      rebuild(moment);
    }
    @Nullable Cell[] current = places;
    int mask = current.length - 1;
    int at = (int) cell.key1 & mask;
    while (true) {
      Cell known = current[at];
      if (known == null) {
        used++;
        break;
      }
      if (known.key1 == cell.key1 && known.key2 == cell.key2) {
        break;
      }
      at = (at + 1) & mask;
    }
    CELL.setRelease(current, at, cell);
  }

  private void rebuild(Moment moment) {
    int live = retireAll(moment);
    @Nullable Cell[] old = places;
    int length = FIRST_PLACES;
    while (length < 3 * (live + 1)) {
      length *= 2;
    }
    @Nullable Cell[] grown = new Cell[length];
    for (Cell cell : old) {
      if (cell != null && !cell.isRetired()) {
        int at = (int) cell.key1 & (length - 1);
        while (grown[at] != null) {
          at = (at + 1) & (length - 1);
        }
        grown[at] = cell;
      }
    }
    used = live;
    places = grown;
  }

  private int retireAll(Moment moment) {
    int live = 0;
    for (Cell cell : places) {
      if (cell != null && !cell.isRetired() && !retire(cell, moment)) {
        live++;
      }
    }
    return live;
  }

  private boolean retire(Cell cell, Moment moment) {
    boolean retired = cell.retire(moment.micros(cell.madeBy.onWindowTime()));
    if (retired) {
      noteRetired(cell, moment);
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
