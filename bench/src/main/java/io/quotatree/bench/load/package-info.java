/**
 * The requests that all limiters are measured with, the same for all by construction from a seed.
 *
 * <p>Start at {@link io.quotatree.bench.load.Job}. Knows no limiter.
 */
@NullMarked
package io.quotatree.bench.load;

import org.jspecify.annotations.NullMarked;
