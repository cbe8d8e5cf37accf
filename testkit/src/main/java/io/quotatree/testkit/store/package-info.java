/**
 * Real stores for tests: processes that are started, killed and frozen.
 *
 * <p>Start at {@link io.quotatree.testkit.store.RedisServer}. Nothing here knows of ledgers.
 */
@NullMarked
package io.quotatree.testkit.store;

import org.jspecify.annotations.NullMarked;
