package io.quotatree.core.ticket;

import io.quotatree.core.ledger.Receipt;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Ids that work at every gateway of a fleet, where there is one.
 *
 * <p>Who decided keeps the ticket: he renews its permits, ends its hold, and holds what is his
 * alone. What else an id stands for is in the store, which also says who is the first to release or
 * settle it. Where the store did not take an id in, or gives no answer, the id works at the gateway
 * that gave it, as far as that can be done without the store.
 *
 * <p>Nothing here waits; stages are completed on threads of the store's, or at once.
 */
public final class FleetTickets {

  private final Tickets own;
  private final Optional<TicketStore> shared;
  private final Runnable settledPast;

  /**
   * An id that was given.
   *
   * @param text the id
   * @param known completed when every gateway finds it, or that turned out to be impossible; never
   *     fails
   */
  public record Issued(String text, CompletionStage<?> known) {}

  /**
   * Ids of a gateway.
   *
   * @param own what it keeps itself
   * @param shared where others find it; empty where there are no others
   * @param settledPast is run when a decision of another gateway was settled here, past the ledger
   */
  public FleetTickets(Tickets own, Optional<TicketStore> shared, Runnable settledPast) {
    this.own = own;
    this.shared = shared;
    this.settledPast = settledPast;
    shared.ifPresent(own::holdsAreAskedOf);
  }

  /** What this gateway keeps itself. */
  public Tickets own() {
    return own;
  }

  /** Gives an id to what was allowed and kept; as {@link Tickets#issue}. */
  public Issued issue(Receipt receipt, Duration hold) {
    String id = own.issue(receipt, hold);
    if (shared.isEmpty()) {
      return new Issued(id, CompletableFuture.completedFuture(true));
    }
    CompletionStage<?> known =
        shared
            .get()
            .put(id, receipt, hold)
            .handle(
                (put, failure) -> {
                  if (failure == null) {
                    own.isShared(id);
                  }
                  return true;
                });
    return new Issued(id, known);
  }

  /**
   * Ends a decision's request, once in the whole fleet; as {@link Tickets#release}. Fails where
   * nobody can say whether that was done.
   */
  public CompletionStage<Boolean> release(String id) {
    if (shared.isEmpty() || own.isAlone(id, receipt -> false)) {
      return CompletableFuture.completedFuture(own.release(id));
    }
    if (!Tickets.isId(id)) {
      return missed();
    }
    return shared
        .get()
        .release(id)
        .handle(
            (ended, failure) -> {
              if (failure != null) {
                // What is held in the store ends soon, since it is not renewed any more.
                return own.endRunning(id) || fail(failure);
              }
              boolean isOwn = own.endRunning(id);
              if (ended.isEmpty()) {
                own.miss();
                return false;
              }
              if (!isOwn) {
                ended.get().run();
              }
              return true;
            });
  }

  private static boolean fail(Throwable failure) {
    throw new IllegalStateException("the store of ids gave no answer", failure);
  }

  private CompletionStage<Boolean> missed() {
    own.miss();
    return CompletableFuture.completedFuture(false);
  }

  /**
   * Replaces what a decision charged by the true cost, once in the whole fleet; as {@link
   * Tickets#settle}. Fails where nobody can say whether that was done.
   */
  public CompletionStage<Boolean> settle(String id, long costPermits) {
    // An id that the store did not confirm may be there all the same: then it says who is first.
    if (shared.isEmpty() || own.isAlone(id, shared.get()::counts)) {
      return CompletableFuture.completedFuture(own.settle(id, costPermits));
    }
    if (!Tickets.isId(id)) {
      return missed();
    }
    return shared
        .get()
        .settle(id)
        .thenApply(
            settling -> {
              if (settling.isEmpty()) {
                own.miss();
                return false;
              }
              if (!own.settleKnown(id, costPermits)) {
                settling.get().accept(costPermits);
                settledPast.run();
              }
              return true;
            });
  }

  /**
   * Holds a decision's permits for so long from now, or as long as before where that is longer.
   * Fails where nobody can say whether that was done.
   *
   * @return the microseconds for which they are held from now; empty where the id is unknown or its
   *     request had ended
   */
  public CompletionStage<OptionalLong> renew(String id, Duration hold) {
    if (shared.isEmpty() || own.isAlone(id, receipt -> false)) {
      long micros = own.renew(id, hold);
      return CompletableFuture.completedFuture(
          micros < 0 ? OptionalLong.empty() : OptionalLong.of(micros));
    }
    if (!Tickets.isId(id)) {
      own.miss();
      return CompletableFuture.completedFuture(OptionalLong.empty());
    }
    return shared
        .get()
        .renew(id, hold)
        .thenApply(
            left -> {
              if (left.isEmpty()) {
                own.miss();
              }
              return left;
            });
  }
}
