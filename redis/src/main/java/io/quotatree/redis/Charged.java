package io.quotatree.redis;

/**
 * What a receipt keeps of the charges it stands for, line by line.
 *
 * @param keys of the counters
 * @param records of the limits
 * @param marks where the charges are found again
 * @param holder the permit in flight
 * @param revision of the quotas that it was charged under
 */
record Charged(byte[][] keys, byte[][] records, long[] marks, byte[] holder, long revision) {}
