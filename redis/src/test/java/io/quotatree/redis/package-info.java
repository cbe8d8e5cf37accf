/** The shared ledger against real servers. */
@NullMarked
package io.quotatree.redis;

import org.jspecify.annotations.NullMarked;
