/**
 * The two times that limits run on: a monotonic one that never steps, and the wall clock.
 *
 * <p>Start at {@link io.quotatree.core.time.Ticker}. This is the only package that reads a clock;
 * all others are handed the time as an argument.
 */
@NullMarked
package io.quotatree.core.time;

import org.jspecify.annotations.NullMarked;
