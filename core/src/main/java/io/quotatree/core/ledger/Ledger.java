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
   * @param plan what is asked
   * @param moment the time
   * @param verdict is filled with what each limit said; it belongs to this plan until it is
   *     released
   */
  void execute(Plan plan, Moment moment, Verdict verdict);

  /** Gives back the permits in flight that an executed plan holds; a second call does nothing. */
  void release(Plan plan, Verdict verdict);
}
