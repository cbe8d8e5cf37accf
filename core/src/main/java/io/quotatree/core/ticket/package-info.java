/**
 * Decisions by id: what a decision took is released, prolonged and settled by who comes later, in
 * another request, with nothing but its id.
 *
 * <p>Start at {@link io.quotatree.core.ticket.Tickets}. Nothing here knows how counters are kept,
 * nor who asks. Ids are of this process.
 */
@NullMarked
package io.quotatree.core.ticket;

import org.jspecify.annotations.NullMarked;
