/**
 * The gateways that share a store, as far as they know of each other: how many live.
 *
 * <p>Start at {@link io.quotatree.redis.fleet.Fleet}. Nothing here knows how the store is asked, or
 * what the number is good for.
 */
@NullMarked
package io.quotatree.redis.fleet;

import org.jspecify.annotations.NullMarked;
