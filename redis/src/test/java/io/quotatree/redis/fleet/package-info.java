/** The fleet in virtual time. */
@NullMarked
package io.quotatree.redis.fleet;

import org.jspecify.annotations.NullMarked;
