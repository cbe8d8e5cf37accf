/**
 * Measures the shared ledger: one script a decision beside four calls and beside other limiters on
 * Redis, and what becomes of decisions while the store is frozen or killed.
 *
 * <p>Start at {@link io.quotatree.bench.redis.RedisBench}. Each contender has a store process of
 * its own; of the ledger nothing is known but what who embeds it knows.
 */
@NullMarked
package io.quotatree.bench.redis;

import org.jspecify.annotations.NullMarked;
