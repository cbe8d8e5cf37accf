/**
 * The memory ledger under several threads at once.
 *
 * <p>Start at {@code EachAlgorithmRaceTest}. Time stands still or is moved by a test, nothing
 * sleeps, and what is asserted holds under every interleaving: a failure is a fault, never bad
 * luck.
 */
@NullMarked
package io.quotatree.testkit.race;

import org.jspecify.annotations.NullMarked;
