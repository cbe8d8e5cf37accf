package io.quotatree.bench.redis;

import java.util.concurrent.CompletionStage;

/**
 * A limiter on a store, whose decision takes one call or several, each of which grants or refuses.
 *
 * <p>For one thread; calls of different slots may be under way at once.
 */
interface Calls extends AutoCloseable {

  /** The layers of a decision, and the calls of who asks each by itself. */
  int LAYERS = 4;

  /** How many calls a decision takes. */
  int perDecision();

  /**
   * Makes one of a decision's calls, and waits for its answer.
   *
   * @param request which of the prepared requests
   * @param call from 0 to {@link #perDecision}, each of them once for a decision
   */
  boolean make(int request, int call);

  /**
   * Makes one of a decision's calls, and waits for nothing.
   *
   * @param slot which of the decisions that are under way
   */
  CompletionStage<Boolean> begin(int request, int call, int slot);

  @Override
  void close();
}
