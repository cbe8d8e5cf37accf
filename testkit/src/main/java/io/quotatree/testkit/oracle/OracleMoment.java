package io.quotatree.testkit.oracle;

/**
 * One instant, on both of a ledger's times.
 *
 * @param monotonicMicros the time of buckets, logs and permits in flight
 * @param windowMicros the time of windows and slices, since the Unix epoch
 */
public record OracleMoment(long monotonicMicros, long windowMicros) {}
