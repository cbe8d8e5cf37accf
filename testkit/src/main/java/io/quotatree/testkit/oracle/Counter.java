package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.Wait;

/**
 * What one subject used of one limit. A cost handed to it is at least 1, except to {@link #charge}.
 */
sealed interface Counter permits RateCounter, InFlightCounter {

  /** Whether the limit grants a request of this cost now. */
  boolean grants(long cost, OracleMoment now);

  /** How long until it would grant; zero where it grants now. */
  Wait wait(long cost, OracleMoment now);

  /** Takes the cost. */
  void charge(long cost, OracleMoment now);

  /** What is left, rounded down, at least 0. */
  long remaining(OracleMoment now);

  /** How long until, left alone, nothing is used any more. */
  Wait reset(OracleMoment now);
}
