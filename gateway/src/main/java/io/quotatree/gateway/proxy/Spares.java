package io.quotatree.gateway.proxy;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.policy.Policy;
import java.util.ArrayDeque;

/**
 * Decisions of requests that are over, for those to come: each is some kilobytes of arrays, and a
 * gateway that made one a request would push out of the caches what it works with.
 *
 * <p>Only decisions that nobody else knows come back: one that a store was asked about may still
 * hear from it. And only as long as their policy is in force: a decision holds on to the quotas
 * that it was made by, and those at the bottom may wait for long. Used on one event loop.
 */
final class Spares {

  /** As many as requests are usually under way; a decision that was one of more is let go. */
  private static final int MOST = 256;

  private final Policy policy;
  private final ArrayDeque<Decision> spares = new ArrayDeque<>();

  /** None yet, of decisions by a policy. */
  Spares(Policy policy) {
    this.policy = policy;
  }

  /** Those of the policy in force: these ones, as long as it is the same. */
  Spares of(Policy now) {
    return now == policy ? this : new Spares(now);
  }

  Decision take() {
    Decision spare = spares.pollLast();
    return spare == null ? new Decision() : spare;
  }

  /** Takes one back that holds nothing any more. */
  void back(Decision over) {
    if (spares.size() < MOST) {
      spares.addLast(over);
    }
  }
}
