/** Decisions by id, on the memory ledger. */
@NullMarked
package io.quotatree.core.ticket;

import org.jspecify.annotations.NullMarked;
