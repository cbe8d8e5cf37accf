package io.quotatree.testkit.race;

/**
 * A permit that was granted at some time between two readings of the clock.
 *
 * @param afterMicros the reading before it was asked for
 * @param beforeMicros the reading after it was granted
 */
record Grant(long afterMicros, long beforeMicros) {}
