package io.quotatree.redis.failover;

import java.util.concurrent.CompletionStage;

/** The counter of one limit in the store, as far as something is owed to it. */
public interface Account {

  /** What it is called in the store, by which is known whether that takes something now. */
  byte[] key();

  /**
   * Charges what was granted without asking, past the limit if need be. Waits for nobody.
   *
   * @return fails where the store did not take it
   */
  CompletionStage<?> charge(long permits);
}
