/**
 * How limits count: each algorithm is a pure function on the few machine words of one counter.
 *
 * <p>Start at {@link io.quotatree.core.algorithm.Algorithm}. Time is an argument; no clock, no
 * shared memory, no floating point.
 */
@NullMarked
package io.quotatree.core.algorithm;

import org.jspecify.annotations.NullMarked;
