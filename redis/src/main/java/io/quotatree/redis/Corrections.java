package io.quotatree.redis;

import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.time.Moment;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What is done to charges after they were decided: permits in flight are released, charges undone
 * and settled. Nobody waits for it.
 */
final class Corrections {

  private final Store store;
  private final Wire wire;
  private final Script amend;
  private final Holders holders;

  /** Counts what is this gateway's alone; null where the store counts that too. */
  private final @Nullable Ledger local;

  Corrections(Store store, Clock clock, Holders holders, @Nullable Ledger local) {
    this.store = store;
    this.wire = new Wire(clock);
    this.amend = Script.Both.by(clock).amend();
    this.holders = holders;
    this.local = local;
  }

  /** The counters in the store that hold a permit in flight for a plan. */
  static byte[][] held(Plan plan, Verdict verdict, Asked asked) {
    return IntStream.range(0, plan.size())
        .filter(i -> verdict.holds(i) && !asked.isLocal(i))
        .mapToObj(i -> asked.keys[i])
        .toArray(byte[][]::new);
  }

  /** Ends permits in flight. */
  void release(byte[] holder, byte[][] keys, Times times) {
    holders.end(holder);
    // Where this is lost, the permit ends by itself when it is not renewed.
    store.call(amend, keys, wire.release(holder, times));
  }

  void release(Plan plan, Verdict verdict) {
    if (!verdict.isHolding()) {
      return;
    }
    if (verdict.scratch() instanceof Asked asked) {
      byte[][] held = held(plan, verdict, asked);
      if (held.length > 0) {
        release(asked.holder, held, Times.STORES_OWN);
      }
      if (asked.local != null) {
        asked.local.release();
      }
      verdict.released();
    } else if (local != null) {
      local.release(plan, verdict);
    }
  }

  void undo(Plan plan, Verdict verdict, int index) {
    if (!(verdict.scratch() instanceof Asked asked) || verdict.refuses(index)) {
      return;
    }
    byte[][] key = {asked.keys[index]};
    if (verdict.holds(index)) {
      release(asked.holder, key, Times.STORES_OWN);
    } else if (!asked.isInFlight[index] && plan.costPermits() > 0) {
      int[] line = {0};
      Charged charged = new Charged(asked, new int[] {index});
      store.call(amend, key, wire.settle(charged, line, -plan.costPermits(), Times.STORES_OWN));
    }
    verdict.undone(index);
  }

  Receipt receipt(Plan plan, Verdict verdict) {
    if (local != null && !(verdict.scratch() instanceof Asked)) {
      return local.receipt(plan, verdict);
    }
    int[] granted = IntStream.range(0, plan.size()).filter(i -> !verdict.refuses(i)).toArray();
    Receipt receipt = new Receipt(plan.policy(), plan.costPermits(), granted.length);
    if (!(verdict.scratch() instanceof Asked asked) || plan.size() == 0) {
      return receipt;
    }
    Charged charged = new Charged(asked, granted);
    for (int line = 0; line < granted.length; line++) {
      int i = granted[line];
      receipt.add(plan.step(i), plan.key1(i), plan.key2(i), charged.marks[line], 0);
    }
    receipt.note(charged);
    if (verdict.isHolding()) {
      receipt.hold();
    }
    return receipt;
  }

  void release(Receipt receipt, Moment moment) {
    if (!(receipt.note() instanceof Charged charged)) {
      if (local != null) {
        local.release(receipt, moment);
      }
      return;
    }
    if (!receipt.endHolding()) {
      return;
    }
    int[] held = lines(receipt, line -> receipt.step(line).isInFlight() && !charged.isLocal[line]);
    if (held.length > 0) {
      release(charged.holder, keys(charged, held), Times.of(moment));
    }
    if (local != null && charged.local != null) {
      local.release(charged.local, moment);
    }
  }

  private static int[] lines(Receipt receipt, IntPredicate some) {
    return IntStream.range(0, receipt.size()).filter(some).toArray();
  }

  private static byte[][] keys(Charged charged, int[] lines) {
    return IntStream.of(lines).mapToObj(line -> charged.keys[line]).toArray(byte[][]::new);
  }

  boolean settle(Receipt receipt, Moment moment, long costPermits) {
    if (local != null && !(receipt.note() instanceof Charged)) {
      return local.settle(receipt, moment, costPermits);
    }
    if (!receipt.endAccount()) {
      return false;
    }
    long more = costPermits - receipt.costPermits();
    if (receipt.note() instanceof Charged charged) {
      int[] lines =
          lines(receipt, line -> isSettled(receipt, line, more) && !charged.isLocal[line]);
      if (lines.length > 0) {
        store.call(
            amend, keys(charged, lines), wire.settle(charged, lines, more, Times.of(moment)));
      }
      if (local != null && charged.local != null) {
        local.settle(charged.local, moment, costPermits);
      }
    }
    return true;
  }

  /** Ends permits in flight that another gateway may hold, which then renews them in vain. */
  void end(byte[] holder, byte[][] keys) {
    store.call(amend, keys, wire.release(holder, Times.STORES_OWN));
  }

  /** Takes more of charges that any gateway made, or gives some back. */
  void settle(Charged charged, int[] lines, long more) {
    if (lines.length > 0) {
      store.call(amend, keys(charged, lines), wire.settle(charged, lines, more, Times.STORES_OWN));
    }
  }

  private static boolean isSettled(Receipt receipt, int line, long more) {
    boolean isNode = receipt.step(line).layer() == Layer.NODE;
    return more != 0 && !receipt.step(line).isInFlight() && (more > 0 || !isNode);
  }
}
