/**
 * Measures Quotatree beside other limiters, on one machine, in one run.
 *
 * <p>Start at {@link io.quotatree.bench.Bench}, which {@code bench/run} starts, and at {@code
 * docs/benchmarks.md}, which says how it is measured. Nothing here ships, and nothing that ships
 * sees it.
 */
@NullMarked
package io.quotatree.bench;

import org.jspecify.annotations.NullMarked;
