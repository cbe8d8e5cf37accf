/**
 * The memory ledger held to its contract, to the reference and to races.
 *
 * <p>Start at {@code MemoryLedgerContractTest}. Nothing here reads a real clock.
 */
@NullMarked
package io.quotatree.testkit;

import org.jspecify.annotations.NullMarked;
