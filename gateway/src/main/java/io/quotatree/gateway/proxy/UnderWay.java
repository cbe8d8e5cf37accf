package io.quotatree.gateway.proxy;

import java.util.concurrent.atomic.LongAdder;

/**
 * The requests that a gateway is at work on, each from its decision to the end of its answer; and
 * whether it takes on more.
 *
 * <p>Safe for use by several threads.
 */
public final class UnderWay {

  private final LongAdder requests = new LongAdder();

  /** Set once, by whoever ends the gateway; read for each answer. A late reading does no harm. */
  private volatile boolean ending;

  /** None yet. */
  public UnderWay() {}

  /** How many there are now; while requests come and go, about so many. */
  public long requests() {
    return requests.sum();
  }

  /** From now on each answer is its connection's last. */
  public void end() {
    ending = true;
  }

  boolean ending() {
    return ending;
  }

  void enter() {
    requests.increment();
  }

  void leave() {
    requests.decrement();
  }
}
