package io.quotatree.testkit.trace;

/**
 * Where a ledger and the reference part.
 *
 * @param step the step of the trace, from 0
 * @param expected what the reference says
 * @param came what the ledger says
 */
public record Difference(int step, String expected, String came) {

  @Override
  public String toString() {
    return "at step %d%n  expected %s%n  came     %s".formatted(step, expected, came);
  }
}
