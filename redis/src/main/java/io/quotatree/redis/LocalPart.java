package io.quotatree.redis;

import io.quotatree.core.ledger.Later;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Step;
import io.quotatree.core.time.Moment;

/**
 * The limits of a plan that are this gateway's alone, and what its own ledger said of them.
 *
 * <p>They are charged first, and the store is told what they said, so that it can tell the order of
 * refusals and what is charged in loose accounting. Where the request is refused in the end, their
 * charges are undone: until then, one round trip, others may be refused for room that comes back.
 */
final class LocalPart {

  private static final Later NEVER_LATER =
      () -> {
        throw new IllegalStateException("a gateway's own ledger answers at once");
      };

  private final Ledger ledger;
  private final Plan part;
  private final Verdict verdict = new Verdict();

  /** Of each limit of the whole plan its place in the part; -1 for those of the fleet. */
  private final int[] placeInPart;

  private LocalPart(Ledger ledger, Plan whole, Policy share) {
    this.ledger = ledger;
    this.part = whole.localPart();
    part.use(share);
    this.placeInPart = new int[whole.size()];
    int next = 0;
    for (int i = 0; i < whole.size(); i++) {
      placeInPart[i] = whole.step(i).isLocal() ? next++ : -1;
    }
  }

  /**
   * The local part of a plan that has one.
   *
   * @param share the plan's policy as the ledger knows it
   */
  static LocalPart of(Ledger ledger, Plan whole, Policy share) {
    return new LocalPart(ledger, whole, share);
  }

  /** How many of a plan's limits are a gateway's alone. */
  static int locals(Plan whole) {
    int locals = 0;
    for (int i = 0; i < whole.size(); i++) {
      locals += whole.step(i).isLocal() ? 1 : 0;
    }
    return locals;
  }

  /** Asks the gateway's own ledger, which charges what is granted. */
  void execute(Moment moment) {
    requireNow(ledger.execute(part, moment, verdict, NEVER_LATER));
  }

  /** Looks without charging. */
  void peek(Moment moment) {
    requireNow(ledger.peek(part, moment, verdict, NEVER_LATER));
  }

  /** Empties the counters; answers how many had something used in them. */
  int reset(Moment moment) {
    requireNow(ledger.reset(part, moment, verdict, NEVER_LATER));
    return verdict.emptied();
  }

  private static void requireNow(boolean isNow) {
    if (!isNow) {
      throw new IllegalStateException("a gateway's own ledger has to answer at once");
    }
  }

  /** Whether a limit of the whole plan is of this part. */
  boolean has(int index) {
    return placeInPart[index] >= 0;
  }

  boolean grants(int index) {
    return !verdict.refuses(placeInPart[index]);
  }

  /** Says in the whole verdict what this part said of one limit. */
  void tell(int index, Verdict whole) {
    int at = placeInPart[index];
    whole.left(index, verdict.remaining(part, at), verdict.resetMicros(part, at));
    if (verdict.refuses(at)) {
      whole.refuse(index, verdict.waitOrNever(at));
    } else {
      whole.grant(index);
    }
  }

  /** Says in the whole verdict how the counters of this part stand; after a look. */
  void tellStandings(Verdict whole) {
    for (int i = 0; i < placeInPart.length; i++) {
      if (has(i)) {
        tell(i, whole);
        whole.standing(i, verdict.standing(placeInPart[i]));
      }
    }
  }

  boolean holds(int index) {
    return verdict.holds(placeInPart[index]);
  }

  /** Takes back what the end of the whole does not leave charged. */
  void endWith(Plan whole, Verdict ofWhole) {
    if (!ofWhole.isRefused()) {
      return;
    }
    for (int i = 0; i < whole.size(); i++) {
      if (has(i) && !staysCharged(whole, i, ofWhole)) {
        ledger.undo(part, verdict, placeInPart[i]);
      }
    }
    verdict.released();
  }

  /** Takes back all, since the store gave no answer. */
  void takeBack() {
    for (int i = 0; i < part.size(); i++) {
      ledger.undo(part, verdict, i);
    }
    verdict.released();
  }

  /** What loose quotas of earlier layers took stays taken, permits in flight excepted. */
  private static boolean staysCharged(Plan whole, int index, Verdict ofWhole) {
    if (!whole.step(index).isLoose()) {
      return false;
    }
    Layer refusing = whole.step(ofWhole.firstRefusal()).layer();
    for (int i = 0; i <= index; i++) {
      Step step = whole.step(i);
      if (step.layer() == refusing) {
        return false;
      }
    }
    return true;
  }

  void release() {
    ledger.release(part, verdict);
  }

  /** What the gateway's own ledger took. */
  Receipt receipt() {
    return ledger.receipt(part, verdict);
  }
}
