package io.quotatree.redis.failover;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.ledger.Later;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.time.Moment;
import java.util.stream.IntStream;

/** A request that a gateway decided by itself, and what it took of the gateway's own ledger. */
public final class Fallen {

  static final Later NEVER_LATER =
      () -> {
        throw new IllegalStateException("a gateway's own ledger answers at once");
      };

  /** For what no share could ever grant, and the whole limit can: the store may be back by then. */
  private static final long UNTIL_ASKED_AGAIN_MICROS = 1_000_000;

  private final Ledger ledger;
  private final Plan plan;
  private final Verdict verdict = new Verdict();

  Fallen(Ledger ledger, Plan plan) {
    this.ledger = ledger;
    this.plan = plan;
  }

  void execute(Moment now) {
    requireNow(ledger.execute(plan, now, verdict, NEVER_LATER));
  }

  static void requireNow(boolean isNow) {
    if (!isNow) {
      throw new IllegalStateException("a gateway's own ledger has to answer at once");
    }
  }

  long resetMicros(int index) {
    return verdict.resetMicros(plan, index);
  }

  /** Says in the verdict of the whole plan what was decided. */
  void tell(Plan whole, Verdict of) {
    for (int i = 0; i < plan.size(); i++) {
      of.left(i, verdict.remaining(plan, i), verdict.resetMicros(plan, i));
      boolean opened = plan.step(i).isShadow() && !whole.step(i).isShadow();
      if (opened || !verdict.refuses(i)) {
        of.grant(i);
      } else {
        of.refuse(i, waitMicros(whole, i));
      }
      if (verdict.isOverflowed(i)) {
        of.overflowed(i);
      }
      if (verdict.holds(i)) {
        of.hold(i);
      }
    }
    if (verdict.isRefused()) {
      of.refusedBy(verdict.firstRefusal());
    }
  }

  private long waitMicros(Plan whole, int index) {
    long wait = verdict.waitOrNever(index);
    boolean ever = whole.costPermits() <= whole.step(index).algorithm().capacityPermits();
    return wait == Algorithm.NEVER && ever ? UNTIL_ASKED_AGAIN_MICROS : wait;
  }

  /** Which of the limits that the fleet shares hold a permit in flight for it. */
  public int[] holding() {
    return IntStream.range(0, plan.size())
        .filter(i -> verdict.holds(i) && !plan.step(i).isLocal())
        .toArray();
  }

  /** Takes back what was charged of one limit. */
  public void undo(int index) {
    ledger.undo(plan, verdict, index);
  }

  /** Gives back what is held in flight in the gateway's own ledger. */
  public void release() {
    ledger.release(plan, verdict);
  }

  /** What the gateway's own ledger took. */
  public Receipt receipt() {
    return ledger.receipt(plan, verdict);
  }
}
