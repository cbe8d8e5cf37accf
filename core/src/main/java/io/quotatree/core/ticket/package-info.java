/**
 * Decisions by id: what a decision took is released, prolonged and settled by who comes later, in
 * another request, with nothing but its id.
 *
 * <p>Start at {@link io.quotatree.core.ticket.FleetTickets}, then {@link
 * io.quotatree.core.ticket.Tickets}, what one process keeps, and {@link
 * io.quotatree.core.ticket.TicketStore}, where a fleet finds the rest. Nothing here knows how
 * counters are kept, nor who asks.
 */
@NullMarked
package io.quotatree.core.ticket;

import org.jspecify.annotations.NullMarked;
