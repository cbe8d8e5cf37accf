package io.quotatree.core.engine;

import io.quotatree.core.ledger.Later;
import java.util.concurrent.Semaphore;

/** Lets a thread that may wait do so until an answer is there. Used by one question at a time. */
final class Waiting implements Later {

  /** Given by the ledger's thread, taken by the one that waits: what the first wrote, it sees. */
  private final Semaphore answers = new Semaphore(0);

  @Override
  public void answered() {
    answers.release();
  }

  /**
   * Ledgers bound how long an answer takes, so this ends. An interrupt is kept for later: a request
   * that may have been charged must not be left without its verdict.
   */
  void await() {
    answers.acquireUninterruptibly();
  }
}
