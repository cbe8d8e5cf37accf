/**
 * What a ledger is: a holder of counters that executes a plan in one step.
 *
 * <p>Start at {@link io.quotatree.core.ledger.Ledger}. Nothing here knows how counters are kept.
 */
@NullMarked
package io.quotatree.core.ledger;

import org.jspecify.annotations.NullMarked;
