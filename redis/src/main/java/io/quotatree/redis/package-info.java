/**
 * The ledger that the gateways of a fleet share, in Redis or Valkey.
 *
 * <p>Start at {@link io.quotatree.redis.RedisLedger}; how counting is done stands in {@code
 * decide.lua} and {@code counters.lua}, which run in the store. How the store is reached stands in
 * {@link io.quotatree.redis.servers}. Nothing here knows of quota files or of other ledgers, and no
 * type of the client library shows outside.
 */
@NullMarked
package io.quotatree.redis;

import org.jspecify.annotations.NullMarked;
