/**
 * What is measured: ours, other limiters doing as much of the same job as they can, and the floor.
 *
 * <p>Start at {@link io.quotatree.bench.contender.Contender} and {@link
 * io.quotatree.bench.contender.Contenders}. Each class says what part of the job it does. Knows
 * nothing of how time is measured.
 */
@NullMarked
package io.quotatree.bench.contender;

import org.jspecify.annotations.NullMarked;
