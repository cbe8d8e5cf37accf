package io.quotatree.core.ticket;

import io.quotatree.core.ledger.Receipt;
import java.util.Comparator;

/** What stands behind one id. Guarded by the monitor of its {@link Tickets}. */
final class Ticket {

  static final Comparator<Ticket> BY_NEXT_END =
      Comparator.comparingLong((Ticket ticket) -> ticket.nextEndMicros)
          .thenComparingLong(ticket -> ticket.number);

  final TicketId id;
  final Receipt receipt;

  /** Tells tickets of one moment apart. */
  private final long number;

  /** When it is forgotten. */
  long lifeEndMicros;

  /**
   * When something ends: its hold, and after that its life. Changed only outside of sorted sets.
   */
  long nextEndMicros;

  /** Whether its request still runs, as far as anybody said. */
  boolean running = true;

  boolean settled;

  /** Whether other gateways find it. */
  boolean shared;

  Ticket(TicketId id, Receipt receipt, long number) {
    this.id = id;
    this.receipt = receipt;
    this.number = number;
  }

  boolean isDone() {
    return settled && !running;
  }
}
