/** Connections to real servers. */
@NullMarked
package io.quotatree.redis.servers;

import org.jspecify.annotations.NullMarked;
