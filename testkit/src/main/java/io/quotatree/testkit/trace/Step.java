package io.quotatree.testkit.trace;

import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;

/** One thing that happens in a trace. */
public sealed interface Step {

  /**
   * A request comes in.
   *
   * @param id its number within the trace
   * @param nodeId the gateway that it comes to
   * @param request the request
   */
  record Send(int id, String nodeId, Request request) implements Step {}

  /**
   * A request ends, and gives back what it held; again it does nothing.
   *
   * @param id the number of its {@link Send}, which may be missing
   */
  record Release(int id) implements Step {}

  /**
   * A request turns out to have cost something else; again it does nothing.
   *
   * @param id the number of its {@link Send}, which may be missing
   * @param costPermits the true cost; 0 is a refund
   */
  record Settle(int id, long costPermits) implements Step {}

  /**
   * An operator empties the counters of the subject that an answer told.
   *
   * @param id the number of the answer's {@link Send}, which may be missing
   */
  record Reset(int id) implements Step {}

  /**
   * Both clocks run on.
   *
   * @param micros how long
   */
  record Advance(long micros) implements Step {}

  /**
   * Both clocks run on to where the last decision said that something would change; nowhere where
   * it said never, or nothing.
   *
   * @param edge what is waited for
   * @param offsetMicros how much longer, or less long
   */
  record Await(Edge edge, long offsetMicros) implements Step {}

  /**
   * The wall clock steps alone.
   *
   * @param micros how far, backward where negative
   */
  record StepWall(long micros) implements Step {}

  /**
   * Another tree comes into force at all gateways.
   *
   * @param tree the tree
   */
  record Reload(QuotaTree tree) implements Step {}

  /** A moment that an answer names. */
  enum Edge {
    /** When its Retry-After is over. */
    RETRY,
    /** When the limit that it told has nothing used any more. */
    RESET
  }
}
