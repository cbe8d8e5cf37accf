/**
 * Traces: that they tell what matters, and that the memory ledger agrees with the reference on
 * them.
 *
 * <p>Start at {@code MemoryLedgerTracesTest}. Nothing here reads a real clock.
 */
@NullMarked
package io.quotatree.testkit.trace;

import org.jspecify.annotations.NullMarked;
