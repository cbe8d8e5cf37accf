/**
 * The ledger in this process's memory: lock-free counters in flat arrays.
 *
 * <p>Start at {@link io.quotatree.core.memory.MemoryLedger}.
 */
@NullMarked
package io.quotatree.core.memory;

import org.jspecify.annotations.NullMarked;
