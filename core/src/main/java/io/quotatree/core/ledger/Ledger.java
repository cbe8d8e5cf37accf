package io.quotatree.core.ledger;

import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.time.Moment;

/**
 * Holds counters and executes plans: all limits grant and all are charged, or nothing is.
 *
 * <p>Implementations are safe for use by several threads, and never over the bounds of their limits
 * under any interleaving.
 */
public interface Ledger {

  /**
   * Makes a policy's limits known, before the first plan of that policy is executed. A later call
   * is of a newer policy, but for policies of the same tree: those are gateways of one fleet.
   */
  void adopt(Policy policy);

  /**
   * Executes a plan that holds no blocked quota: asks all its limits, in order, and charges what
   * accounting says, in one step.
   *
   * <p>Until the answer is there, plan, moment and verdict belong to the ledger. The answer comes
   * within a bounded time whatever happens: where the ledger fails, the verdict says so.
   *
   * @param plan what is asked
   * @param moment the time
   * @param verdict is filled with what each limit said; it belongs to this plan until it is
   *     released
   * @param later is told when the answer is there, if that is not at once
   * @return true where the verdict is there now; false where {@code later} will be told, or was
   */
  boolean execute(Plan plan, Moment moment, Verdict verdict, Later later);

  /**
   * Takes back what an executed plan charged one of its limits, or holds of it, as if it had never
   * asked: unlike a refund, of the node layer too. A second call does nothing. Only as long as
   * plan, moment and verdict are as they were executed. Waits for nobody.
   */
  void undo(Plan plan, Verdict verdict, int index);

  /**
   * Gives back the permits in flight that an executed plan holds; a second call does nothing. Waits
   * for nobody.
   */
  void release(Plan plan, Verdict verdict);

  /**
   * What an allowed plan took, to be released and settled later. Changes nothing: whoever asks for
   * it sees to it that plan and receipt are not both used.
   */
  Receipt receipt(Plan plan, Verdict verdict);

  /**
   * Gives back the permits in flight that a receipt holds; a second call does nothing. Waits for
   * nobody.
   */
  void release(Receipt receipt, Moment moment);

  /**
   * Replaces the charged cost by the true one. What was charged too much goes back: to a bucket
   * never above full, to a window or slice only while it still counts, of a log its entry, and
   * never to the node layer. What was charged too little is taken now, past the limit if need be.
   * Waits for nobody: whatever is asked of this ledger afterwards finds it done.
   *
   * @param costPermits the true cost, 0 to 10^9
   * @return false where the receipt was settled before; nothing is done then
   */
  boolean settle(Receipt receipt, Moment moment, long costPermits);

  /**
   * Looks at the counters of a plan without charging, changing or making any.
   *
   * @param verdict is filled with what is left, and whether each counter is there
   * @param later is told when the answer is there, if that is not at once
   * @return true where the verdict is there now; false where {@code later} will be told, or was
   */
  boolean peek(Plan plan, Moment moment, Verdict verdict, Later later);

  /**
   * Empties the counters of a plan, but for requests in flight.
   *
   * @param verdict is told how many had something used in them
   * @param later is told when that is done, if not at once
   * @return true where it is done now; false where {@code later} will be told, or was
   */
  boolean reset(Plan plan, Moment moment, Verdict verdict, Later later);

  /**
   * Drops some of the counters in which nothing is used any more; the next call goes on from there.
   * For a thread that has time, about once a second. Decisions do not depend on it where they keep
   * coming, but a counter that nobody drops for a month may then be taken for one in use.
   */
  void tidy(Moment moment);
}
