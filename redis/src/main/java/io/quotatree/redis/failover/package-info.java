/**
 * What a gateway decides by itself while the store that it shares with others gives no answer.
 *
 * <p>Start at {@link io.quotatree.redis.failover.Failover}: it enforces the gateway's share of each
 * limit on a ledger of the gateway's own, from what the store told last, and tells the store what
 * was granted meanwhile when that is back. Nothing here knows how a store is asked: that is an
 * {@link io.quotatree.redis.failover.Account}.
 */
@NullMarked
package io.quotatree.redis.failover;

import org.jspecify.annotations.NullMarked;
