package io.quotatree.bench.measure;

import io.quotatree.bench.load.Job;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How one contender did with a number of threads.
 *
 * @param job at what
 * @param contender who
 * @param threads how many threads decided at once
 * @param ratio its CPU time by that of the contest's first entrant in the same round
 * @param nanos CPU nanoseconds of an operation
 * @param process the same ratio by the CPU time of whole processes, collectors and all
 * @param speedUp operations of two threads by those of one, per CPU time; empty for one thread
 * @param allowedShare of requests
 * @param bytes allocated by an operation
 * @param median of single operations, wall time
 * @param late of single operations, the 99th percentile
 */
public record Score(
    Job job,
    String contender,
    int threads,
    Middle ratio,
    Middle nanos,
    Middle process,
    OptionalDouble speedUp,
    double allowedShare,
    double bytes,
    OptionalLong median,
    OptionalLong late) {}
