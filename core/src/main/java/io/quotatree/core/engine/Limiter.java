package io.quotatree.core.engine;

import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.policy.BadPathException;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.Ticker;

/** stub: policy + ledger + clock -> decisions; safe for several threads. */
public final class Limiter {

  /** Several limiters (gateways of a fleet) may share one ledger; each then has a policy compiled for its own node id. */
  public Limiter(Policy policy, Ledger ledger, Ticker ticker) {}

  public Policy policy() {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** Puts another policy in force: holds for the very next decision; usage is kept (G6). */
  public void use(Policy policy) {}

  /**
   * Decides a request and charges it.
   *
   * @param decision is filled; must not be holding permits of an earlier request
   * @throws BadPathException if the request's path has no canonical form
   */
  public void decide(Request request, Decision decision) {
    io.quotatree.core.limit.Stub.stub();
  }

  /** Gives back the permits in flight that a decision holds; a second call does nothing. */
  public void release(Decision decision) {}
}
