/**
 * Measures contenders against one another: starts a process for each, gives them turns in random
 * order, and takes medians of the ratios within each round.
 *
 * <p>Start at {@link io.quotatree.bench.measure.Contest}. Knows no contender by name.
 */
@NullMarked
package io.quotatree.bench.measure;

import org.jspecify.annotations.NullMarked;
