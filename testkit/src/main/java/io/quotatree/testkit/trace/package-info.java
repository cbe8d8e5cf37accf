/**
 * Random stories of requests, told by a seed: a small tree, then requests, waits, steps of the wall
 * clock, releases and reloads.
 *
 * <p>Start at {@link io.quotatree.testkit.trace.Trace}. {@link
 * io.quotatree.testkit.trace.TraceComparison} plays one to a ledger and to the reference, decision
 * by decision. Nothing here knows how a ledger keeps its counters.
 */
@NullMarked
package io.quotatree.testkit.trace;

import org.jspecify.annotations.NullMarked;
