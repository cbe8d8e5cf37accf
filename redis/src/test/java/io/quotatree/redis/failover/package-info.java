/** What a gateway decides by itself, in virtual time and without a store. */
@NullMarked
package io.quotatree.redis.failover;

import org.jspecify.annotations.NullMarked;
