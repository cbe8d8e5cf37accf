/**
 * The servers of a store, and the connections to them: one, the master that Sentinels name, or a
 * cluster's.
 *
 * <p>Start at {@link io.quotatree.redis.servers.Store}, on which scripts are called; {@link
 * io.quotatree.redis.servers.Connecting} makes it. The client library is known here and nowhere
 * else, and nothing here knows what the scripts do.
 */
@NullMarked
package io.quotatree.redis.servers;

import org.jspecify.annotations.NullMarked;
