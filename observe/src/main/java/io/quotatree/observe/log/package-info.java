/**
 * The decision log: a JSON line for each refusal, and for some of what was allowed.
 *
 * <p>Start at {@link io.quotatree.observe.log.DecisionLog}. Doors hand in what they decided and
 * what they answered; a thread of the log's own writes it down, so that no request waits for a
 * disk. It must not know HTTP servers or quota files.
 */
@NullMarked
package io.quotatree.observe.log;

import org.jspecify.annotations.NullMarked;
