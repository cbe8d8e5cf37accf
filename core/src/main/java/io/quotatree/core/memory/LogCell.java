package io.quotatree.core.memory;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.algorithm.SlidingLog;

/**
 * The grants of a sliding log, oldest first, in a ring that grows up to the limit.
 *
 * <p>A log's state is as large as its limit, so it is the one counter that is charged under a lock,
 * held for as long as it takes to drop what has left and to add one entry. Grants of one
 * microsecond share an entry.
 */
final class LogCell extends Cell {

  private static final int FIRST_ENTRIES = 8;

  // All guarded by the lock.
  private long[] times = new long[FIRST_ENTRIES];
  private int[] costs = new int[FIRST_ENTRIES];
  private int first;
  private int size;
  private long usedPermits;

  /** Written under the lock; read without it by who only wants to pass a retired cell over. */
  private volatile boolean retired;

  /** The latest time that anybody came with; guarded by the lock. */
  private long latest;

  LogCell(Algorithm madeBy, long now, long key1, long key2, int owner) {
    super(madeBy, key1, key2, owner);
    latest = now;
  }

  private int at(int index) {
    int place = first + index;
    return place < times.length ? place : place - times.length;
  }

  /** A stale time never brings back what a later one saw leave. */
  private long notBeforeLast(long now) {
    latest = Math.max(latest, now);
    return latest;
  }

  private void dropLeft(SlidingLog log, long now) {
    while (size > 0 && times[first] <= now - log.periodMicros()) {
      usedPermits -= costs[first];
      first = at(1);
      size--;
    }
  }

  @Override
  void look(Algorithm algorithm, long now, long costPermits, Look look) {
    SlidingLog log = (SlidingLog) algorithm;
    lock();
    try {
      long time = notBeforeLast(now);
      dropLeft(log, time);
      look.usedPermits = usedPermits;
      look.waitMicros = wait(log, time, costPermits);
      look.mark = size == 0 ? Algorithm.UNUSED : times[at(size - 1)];
    } finally {
      unlock();
    }
  }

  private long wait(SlidingLog log, long now, long costPermits) {
    if (costPermits > log.capacityPermits()) {
      return Algorithm.NEVER;
    }
    long excess = usedPermits + costPermits - log.capacityPermits();
    int leaving = 0;
    long wait = 0;
    while (excess > 0) {
      excess -= costs[at(leaving)];
      wait = times[at(leaving)] + log.periodMicros() - now;
      leaving++;
    }
    return wait;
  }

  @Override
  long charge(Algorithm algorithm, long now, long costPermits) {
    SlidingLog log = (SlidingLog) algorithm;
    lock();
    try {
      if (retired) {
        return RETIRED;
      }
      long time = notBeforeLast(now);
      dropLeft(log, time);
      if (costPermits > log.capacityPermits() - usedPermits) {
        return REFUSED;
      }
      add(time, (int) costPermits);
      return time;
    } finally {
      unlock();
    }
  }

  private void add(long time, int cost) {
    usedPermits += cost;
    // Debts of one microsecond may be more than an entry holds.
    if (size > 0
        && times[at(size - 1)] == time
        && cost <= Integer.MAX_VALUE - costs[at(size - 1)]) {
      costs[at(size - 1)] += cost;
      return;
    }
    if (size == times.length) {
      makeRoom();
    }
    times[at(size)] = time;
    costs[at(size)] = cost;
    size++;
  }

  /**
   * Drops entries of which all was given back; without them there are no more than permits. Grows
   * where that frees less than a quarter, so that not every addition has all looked through.
   */
  private void makeRoom() {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (costs[at(i)] > 0) {
        times[at(kept)] = times[at(i)];
        costs[at(kept)] = costs[at(i)];
        kept++;
      }
    }
    size = kept;
    if (4L * size > 3L * times.length) {
      grow();
    }
  }

  private void grow() {
    long[] longerTimes = new long[2 * times.length];
    int[] longerCosts = new int[2 * times.length];
    for (int i = 0; i < size; i++) {
      longerTimes[i] = times[at(i)];
      longerCosts[i] = costs[at(i)];
    }
    times = longerTimes;
    costs = longerCosts;
    first = 0;
  }

  @Override
  boolean owe(Algorithm algorithm, long now, long costPermits) {
    lock();
    try {
      if (!retired) {
        long time = notBeforeLast(now);
        dropLeft((SlidingLog) algorithm, time);
        add(time, (int) costPermits);
      }
      return !retired;
    } finally {
      unlock();
    }
  }

  @Override
  void undo(long receipt, long costPermits) {
    lock();
    try {
      long owed = costPermits;
      for (int i = size - 1; i >= 0 && times[at(i)] >= receipt && owed > 0; i--) {
        if (times[at(i)] == receipt) {
          int given = (int) Math.min(owed, costs[at(i)]);
          costs[at(i)] -= given;
          usedPermits -= given;
          owed -= given;
        }
      }
      dropEmptied();
    } finally {
      unlock();
    }
  }

  private void dropEmptied() {
    while (size > 0 && costs[at(size - 1)] == 0) {
      size--;
    }
  }

  @Override
  boolean isRetired() {
    return retired;
  }

  @Override
  boolean retireNow(Algorithm algorithm, long now) {
    lock();
    try {
      dropLeft((SlidingLog) algorithm, notBeforeLast(now));
      boolean used = usedPermits > 0;
      usedPermits = 0;
      size = 0;
      retired = true;
      return used;
    } finally {
      unlock();
    }
  }

  @Override
  boolean retire(long now) {
    lock();
    try {
      dropLeft((SlidingLog) madeBy, notBeforeLast(now));
      retired = retired || usedPermits == 0;
      return retired;
    } finally {
      unlock();
    }
  }
}
