package io.quotatree.core.engine;

import io.quotatree.core.limit.OnFailure;

/**
 * Is told of what happens behind decisions and no door sees: questions to a shared store, and what
 * is decided without it.
 *
 * <p>Called by the threads that decide and those that take answers in: implementations are safe for
 * use by several threads, and neither wait nor throw.
 */
public interface Events {

  /** For those who do not want to know. */
  Events NONE = new Unheard();

  /** The store answered a question in time. */
  void storeAnswered(long nanos);

  /** The store did not answer a question in time, or with an error. */
  void storeFailed();

  /** A request was decided without the store. */
  void fellBack(OnFailure way);
}
