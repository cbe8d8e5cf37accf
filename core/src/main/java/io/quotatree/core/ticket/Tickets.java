package io.quotatree.core.ticket;

import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.time.LedgerClock;
import io.quotatree.core.time.Moment;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gives allowed decisions ids, and does what is asked of an id later: one release and one
 * settlement each.
 *
 * <p>An id lives for ten minutes. Its permits in flight are held for as long as the hold says,
 * which can be prolonged; then they come back by themselves, whether or not anybody asks: each
 * method first ends some of what is over, and whoever owns this calls {@link #expire} now and then,
 * which ends all of it. An id lives at least as long as its hold.
 *
 * <p>There are never more than a set number of ids. Above it, those that hold no permit give way,
 * the one that has held none for the longest first: their charges stay as they are. Where all hold
 * permits {@link #hasRoom} says no, and nothing is to be decided: no permit is ever held by an id
 * that nobody knows.
 *
 * <p>Safe for use by several threads: each call holds a monitor for some map and tree operations,
 * however many ids end at one time.
 */
public final class Tickets {

  /** How long an id lives. */
  public static final Duration LIFE = Duration.ofMinutes(10);

  /** How long permits are held where nothing else is said. */
  public static final Duration USUAL_HOLD = Duration.ofSeconds(60);

  /** The longest hold that can be asked for at once. */
  public static final Duration LONGEST_HOLD = Duration.ofHours(1);

  /** How many ids a call ends before it does what it was called for. */
  private static final int ENDED_AT_ONCE = 256;

  private static final long LIFE_MICROS = LIFE.toNanos() / 1000;

  private final Ledger ledger;
  private final LedgerClock clock;
  private final int most;

  // All guarded by this object's monitor.
  private final Moment now = new Moment();
  private final Map<TicketId, Ticket> byId = new HashMap<>();
  private final TreeSet<Ticket> byNextEnd = new TreeSet<>(Ticket.BY_NEXT_END);

  /** Those that hold no permit, in the order in which they came to that. */
  private final Set<Ticket> spare = new LinkedHashSet<>();

  /**
   * Who is asked whether a hold was prolonged elsewhere, before it ends here; null where nobody
   * can.
   */
  private @Nullable TicketStore shared;

  private long issued;
  private long forgotten;
  private long unknown;

  /**
   * No ids yet.
   *
   * @param ledger holds the counters of what is decided
   * @param clock what is decided by
   * @param most how many ids there may be at once
   */
  public Tickets(Ledger ledger, LedgerClock clock, int most) {
    if (most < 1) {
      throw new IllegalArgumentException(most + " ids: give 1 at least");
    }
    this.ledger = ledger;
    this.clock = clock;
    this.most = most;
  }

  /** An id that stands for nothing, for a decision that took nothing. */
  public static String unused() {
    return TicketId.drawn().toString();
  }

  /**
   * Whether so many more ids could be given, so that decisions may be made. Threads that ask at the
   * same time may each be told yes for the same room.
   */
  public synchronized boolean hasRoom(int decisions) {
    endSome();
    return byId.size() - spare.size() + (long) decisions <= most;
  }

  /**
   * Gives an id to what was allowed and kept.
   *
   * @param hold for how long permits are held, {@link #LONGEST_HOLD} at most
   */
  public synchronized String issue(Receipt receipt, Duration hold) {
    endSome();
    while (byId.size() >= most && !spare.isEmpty()) {
      Iterator<Ticket> longestSpare = spare.iterator();
      forget(longestSpare.next());
      forgotten++;
    }
    Ticket ticket = new Ticket(TicketId.drawn(), receipt, issued++);
    ticket.lifeEndMicros = now.monotonicMicros() + LIFE_MICROS;
    byId.put(ticket.id, ticket);
    hold(ticket, hold);
    if (!receipt.isHolding()) {
      spare.add(ticket);
    }
    return ticket.id.toString();
  }

  private void hold(Ticket ticket, Duration hold) {
    long end = now.monotonicMicros() + micros(hold);
    ticket.nextEndMicros = Math.max(ticket.nextEndMicros, end);
    ticket.lifeEndMicros = Math.max(ticket.lifeEndMicros, ticket.nextEndMicros);
    byNextEnd.add(ticket);
  }

  private static long micros(Duration hold) {
    if (hold.isNegative() || hold.isZero() || hold.compareTo(LONGEST_HOLD) > 0) {
      throw new IllegalArgumentException("a hold of " + hold + "; give 1 ms to " + LONGEST_HOLD);
    }
    return hold.toNanos() / 1000;
  }

  /**
   * Ends a decision's request: its permits in flight come back.
   *
   * @return false, and nothing is done, where the id is unknown or its request had ended
   */
  public synchronized boolean release(String id) {
    Ticket ticket = running(id);
    if (ticket == null) {
      return false;
    }
    byNextEnd.remove(ticket);
    end(ticket);
    return true;
  }

  /**
   * Holds a decision's permits for so long from now, or as long as before where that is longer.
   *
   * @return the microseconds for which they are held from now; -1, and nothing is done, where the
   *     id is unknown or its request had ended
   */
  public synchronized long renew(String id, Duration hold) {
    Ticket ticket = running(id);
    if (ticket == null) {
      return -1;
    }
    byNextEnd.remove(ticket);
    hold(ticket, hold);
    return ticket.nextEndMicros - now.monotonicMicros();
  }

  /**
   * Replaces what a decision charged by the true cost.
   *
   * @param costPermits 0 to 10^9; 0 refunds all
   * @return false, and nothing is done, where the id is unknown or was settled
   */
  public synchronized boolean settle(String id, long costPermits) {
    if (costPermits < 0 || costPermits > Rate.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "a cost of " + costPermits + "; settle for 0 to " + Rate.MAX_PERMITS);
    }
    Ticket ticket = known(id);
    if (ticket == null || ticket.settled) {
      unknown++;
      return false;
    }
    ticket.settled = true;
    ledger.settle(ticket.receipt, now, costPermits);
    if (ticket.isDone()) {
      forget(ticket);
    }
    return true;
  }

  /**
   * Ends all that is over: permits whose hold is over come back, ids whose life is over are
   * forgotten. Where a million are, it takes a while, but lets other calls in between.
   */
  public void expire() {
    boolean more = true;
    while (more) {
      more = endSome();
    }
  }

  /** Ids that live. */
  public int live() {
    expire();
    synchronized (this) {
      return byId.size();
    }
  }

  /** Ids that hold permits in flight. */
  public int holding() {
    expire();
    synchronized (this) {
      return byId.size() - spare.size();
    }
  }

  /** How many ids gave way before their time, for want of room. */
  public synchronized long forgotten() {
    return forgotten;
  }

  /** How many calls named an id that is unknown, or had ended. */
  public synchronized long unknown() {
    return unknown;
  }

  private @Nullable Ticket known(String text) {
    endSome();
    TicketId id = TicketId.parsed(text);
    Ticket ticket = id == null ? null : byId.get(id);
    // Others may stand before it in the order of ends; out of it, it waits for an answer.
    while (ticket != null && isOver(ticket) && byNextEnd.remove(ticket)) {
      endOrForget(ticket);
      ticket = byId.get(ticket.id);
    }
    return ticket;
  }

  private @Nullable Ticket running(String id) {
    Ticket ticket = known(id);
    if (ticket == null || !ticket.running) {
      unknown++;
      return null;
    }
    return ticket;
  }

  /** Ends the first of what is over; answers whether there may be more. */
  private synchronized boolean endSome() {
    clock.read(now);
    for (int i = 0; i < ENDED_AT_ONCE; i++) {
      if (byNextEnd.isEmpty() || !isOver(byNextEnd.first())) {
        return false;
      }
      Ticket ticket = byNextEnd.first();
      byNextEnd.remove(ticket);
      endOrForget(ticket);
    }
    return true;
  }

  private boolean isOver(Ticket ticket) {
    return ticket.nextEndMicros <= now.monotonicMicros();
  }

  private void endOrForget(Ticket ticket) {
    TicketStore others = shared;
    if (ticket.running && ticket.shared && others != null) {
      ask(ticket, others);
    } else if (ticket.running) {
      end(ticket);
    } else {
      forget(ticket);
    }
  }

  /** Holds a ticket that was taken out of the order of ends until somebody says how it stands. */
  private void ask(Ticket ticket, TicketStore others) {
    others
        .left(ticket.id.toString())
        .whenComplete((left, failure) -> answered(ticket, left == null ? 0 : left.orElse(0)));
  }

  private synchronized void answered(Ticket ticket, long leftMicros) {
    if (!ticket.running || byId.get(ticket.id) != ticket) {
      // It was released meanwhile.
      return;
    }
    clock.read(now);
    if (leftMicros > 0) {
      ticket.nextEndMicros = now.monotonicMicros() + leftMicros;
      ticket.lifeEndMicros = Math.max(ticket.lifeEndMicros, ticket.nextEndMicros);
      byNextEnd.add(ticket);
    } else {
      end(ticket);
    }
  }

  /** From now on this store is asked before the hold of a ticket ends that it knows. */
  synchronized void holdsAreAskedOf(TicketStore others) {
    shared = others;
  }

  /** The store took an id in. */
  synchronized void isShared(String text) {
    Ticket ticket = find(text);
    if (ticket != null) {
      ticket.shared = true;
    }
  }

  /**
   * Whether an id is known here, and for all that is known nowhere else.
   *
   * @param elsewhere whether what a receipt stands for is of others too
   */
  synchronized boolean isAlone(String text, Predicate<Receipt> elsewhere) {
    Ticket ticket = find(text);
    return ticket != null && !ticket.shared && !elsewhere.test(ticket.receipt);
  }

  /** Ends a request here that has ended; false where it does not run here. */
  synchronized boolean endRunning(String text) {
    Ticket ticket = find(text);
    if (ticket == null || !ticket.running) {
      return false;
    }
    clock.read(now);
    byNextEnd.remove(ticket);
    end(ticket);
    return true;
  }

  /** Settles what is known here and not settled; false for all else. */
  synchronized boolean settleKnown(String text, long costPermits) {
    Ticket ticket = find(text);
    return ticket != null && !ticket.settled && settle(text, costPermits);
  }

  synchronized void miss() {
    unknown++;
  }

  static boolean isId(String text) {
    return TicketId.parsed(text) != null;
  }

  private @Nullable Ticket find(String text) {
    TicketId id = TicketId.parsed(text);
    return id == null ? null : byId.get(id);
  }

  /** Ends the request of a ticket that was taken out of the order of ends. */
  private void end(Ticket ticket) {
    ticket.running = false;
    if (ticket.receipt.isHolding()) {
      ledger.release(ticket.receipt, now);
      spare.add(ticket);
    }
    if (ticket.isDone() || ticket.lifeEndMicros <= now.monotonicMicros()) {
      forget(ticket);
    } else {
      ticket.nextEndMicros = ticket.lifeEndMicros;
      byNextEnd.add(ticket);
    }
  }

  private void forget(Ticket ticket) {
    byNextEnd.remove(ticket);
    spare.remove(ticket);
    byId.remove(ticket.id);
  }
}
