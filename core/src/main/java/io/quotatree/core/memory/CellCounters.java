package io.quotatree.core.memory;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.time.Moment;
import org.jspecify.annotations.Nullable;

/** The counters of several words: sliding windows and logs. */
final class CellCounters {

  private static final int TABLES = 64;

  private final Room room;
  private final Cells[] tables = new Cells[TABLES];

  CellCounters(Room room) {
    this.room = room;
    for (int i = 0; i < TABLES; i++) {
      tables[i] = new Cells(room);
    }
  }

  Cells table(long key1) {
    return tables[(int) (key1 >>> 32) & (TABLES - 1)];
  }

  private static long now(Execution run, Algorithm algorithm) {
    return run.moment.micros(algorithm.onWindowTime());
  }

  /** Asks one limit; true where it grants. */
  boolean ask(Execution run, Place place, Algorithm algorithm) {
    Cell cell = table(place.key1).find(place.key1, place.key2);
    place.cell(cell);
    Cell.Look look = run.look;
    if (cell == null) {
      look.usedPermits = 0;
      look.mark = Algorithm.UNUSED;
      look.waitMicros = run.costPermits > algorithm.capacityPermits() ? Algorithm.NEVER : 0;
    } else {
      cell.look(algorithm, now(run, algorithm), run.costPermits, look);
    }
    place.usedPermits = look.usedPermits;
    tell(run, place, algorithm, look.usedPermits, look.mark);
    if (look.waitMicros == 0) {
      run.verdict.grant(place.index);
      return true;
    }
    run.verdict.refuse(place.index, look.waitMicros);
    return false;
  }

  private static void tell(
      Execution run, Place place, Algorithm algorithm, long usedPermits, long mark) {
    long left = algorithm.capacityPermits() - usedPermits;
    run.verdict.leftUntil(place.index, Math.max(0, left), mark);
  }

  /**
   * Charges one limit that granted; false where it no longer does, or has to be asked elsewhere.
   */
  boolean charge(Execution run, Place place, Algorithm algorithm) {
    long now = now(run, algorithm);
    while (true) {
      Cell cell = place.cell();
      if (cell == null) {
        cell = make(run, place, algorithm);
        if (cell == null) {
          return false;
        }
        place.cell(cell);
      }
      long receipt = cell.charge(algorithm, now, run.costPermits);
      if (receipt == Cell.REFUSED) {
        return false;
      }
      if (receipt != Cell.RETIRED) {
        place.receipt = receipt;
        place.isCharged = true;
        tell(run, place, algorithm, place.usedPermits + run.costPermits, receipt);
        return true;
      }
      place.cell(null);
    }
  }

  /**
   * A living cell of the key: a new one, or one that another thread made; null for want of room.
   */
  private @Nullable Cell make(Execution run, Place place, Algorithm algorithm) {
    int owner = place.owner(run.plan);
    if (!room.hasFor(owner)) {
      return null;
    }
    return table(place.key1).living(place.key1, place.key2, algorithm, owner, run.moment);
  }

  /** Takes a charge back. */
  void undo(Execution run, Place place) {
    Cell cell = place.cell();
    if (cell != null) {
      cell.undo(place.receipt, run.costPermits);
    }
  }

  int tables() {
    return TABLES;
  }

  /**
   * Retires what no longer matters in one of the tables; answers how many places were looked at.
   */
  int sweep(int table, Moment moment) {
    return tables[table].sweep(moment);
  }
}
