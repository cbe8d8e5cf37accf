package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.Wait;

/** Requests in flight, each of which holds one permit, whatever it costs. */
final class InFlightCounter implements Counter {

  private long permits;
  private long inFlight;

  /** Puts another bound in force; whoever is in flight stays so. */
  void meet(long changed) {
    permits = changed;
  }

  void release() {
    inFlight--;
  }

  @Override
  public boolean grants(long cost, OracleMoment now) {
    return inFlight + 1 <= permits;
  }

  @Override
  public Wait wait(long cost, OracleMoment now) {
    return grants(cost, now) ? Waits.NONE : Waits.IN_FLIGHT;
  }

  @Override
  public void charge(long cost, OracleMoment now) {
    inFlight++;
  }

  @Override
  public long remaining(OracleMoment now) {
    return Math.max(0, permits - inFlight);
  }

  @Override
  public Wait reset(OracleMoment now) {
    return inFlight == 0 ? Waits.NONE : Waits.IN_FLIGHT;
  }
}
