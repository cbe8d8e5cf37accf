/**
 * The memory ledger's counters, held to what one thread alone would see, in every interleaving that
 * a model checker finds.
 *
 * <p>Start at {@code SlotTableLincheckTest}. The tests stand in the package of what they check,
 * since nothing of it is public.
 */
@NullMarked
package io.quotatree.core.memory;

import org.jspecify.annotations.NullMarked;
