package io.quotatree.core.memory;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.algorithm.SlidingLog;
import io.quotatree.core.algorithm.SlidingWindow;
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

  private Cells table(Execution run, int index) {
    return table(run.key1[index]);
  }

  Cells table(long key1) {
    return tables[(int) (key1 >>> 32) & (TABLES - 1)];
  }

  private static long now(Execution run, Algorithm algorithm) {
    return run.moment.micros(algorithm.onWindowTime());
  }

  /** Asks one limit; true where it grants. */
  boolean ask(Execution run, int index) {
    Algorithm algorithm = run.step(index).algorithm();
    Cell cell = table(run, index).find(run.key1[index], run.key2[index]);
    run.cells[index] = cell;
    Cell.Look look = run.look;
    if (cell == null) {
      look.usedPermits = 0;
      look.resetMicros = 0;
      look.waitMicros = run.costPermits > algorithm.capacityPermits() ? Algorithm.NEVER : 0;
    } else {
      cell.look(algorithm, now(run, algorithm), run.costPermits, look);
    }
    run.asked[index] = look.usedPermits;
    tell(run, index, look.usedPermits, look.resetMicros);
    if (look.waitMicros == 0) {
      run.verdict.grant(index);
      return true;
    }
    run.verdict.refuse(index, look.waitMicros);
    return false;
  }

  private static void tell(Execution run, int index, long usedPermits, long resetMicros) {
    long capacity = run.step(index).algorithm().capacityPermits();
    run.verdict.left(index, Math.max(0, capacity - usedPermits), resetMicros);
  }

  /**
   * Charges one limit that granted; false where it no longer does, or has to be asked elsewhere.
   */
  boolean charge(Execution run, int index) {
    Algorithm algorithm = run.step(index).algorithm();
    long now = now(run, algorithm);
    while (true) {
      Cell cell = run.cells[index];
      if (cell == null) {
        cell = make(run, index, algorithm);
        if (cell == null) {
          return false;
        }
        run.cells[index] = cell;
      }
      long receipt = cell.charge(algorithm, now, run.costPermits);
      if (receipt == Cell.REFUSED) {
        return false;
      }
      if (receipt != Cell.RETIRED) {
        run.receipts[index] = receipt;
        run.isCharged[index] = true;
        tell(run, index, run.asked[index] + run.costPermits, reset(algorithm, receipt, now));
        return true;
      }
      run.cells[index] = null;
    }
  }

  /** Until the charge that was just made leaves. */
  private static long reset(Algorithm algorithm, long receipt, long now) {
    return algorithm instanceof SlidingWindow window
        ? window.toLeaving(receipt, now)
        : receipt + ((SlidingLog) algorithm).periodMicros() - now;
  }

  /**
   * A living cell of the key: a new one, or one that another thread made; null for want of room.
   */
  private @Nullable Cell make(Execution run, int index, Algorithm algorithm) {
    long key1 = run.key1[index];
    long key2 = run.key2[index];
    int owner = run.owner(index);
    if (!room.hasFor(owner)) {
      return null;
    }
    return table(key1).living(key1, key2, algorithm, owner, run.moment);
  }

  /** Takes a charge back. */
  void undo(Execution run, int index) {
    Cell cell = run.cells[index];
    if (cell != null) {
      cell.undo(run.receipts[index], run.costPermits);
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
