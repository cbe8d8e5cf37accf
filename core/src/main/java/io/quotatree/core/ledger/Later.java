package io.quotatree.core.ledger;

/**
 * Is told that the answer is there which was not there at once.
 *
 * <p>Called once for each question that was not answered at once, on a thread of the ledger's; it
 * must not block, and whoever has a loop of his own hops back to it.
 */
@FunctionalInterface
public interface Later {

  /** The answer is in the verdict that was handed over with the question. */
  void answered();
}
