package io.quotatree.core.ticket;

import io.quotatree.core.ledger.Receipt;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;

/**
 * Where the gateways of a fleet find what an id stands for, whoever of them decided. Of those that
 * release or settle one id at the same time, one is let through.
 *
 * <p>Nothing here waits. Stages fail where the store gives no answer in time; what was asked may
 * have happened then, or may still.
 */
public interface TicketStore {

  /**
   * Keeps what a decision took.
   *
   * @param id its id, that nobody was told yet
   * @param hold for how long its permits are held
   * @return completed when every gateway finds it
   */
  CompletionStage<?> put(String id, Receipt receipt, Duration hold);

  /** Whether any of what a decision took is counted there, and not by its gateway alone. */
  boolean counts(Receipt receipt);

  /**
   * Ends a decision's request, once.
   *
   * @return gives its permits in flight back; empty where the id is unknown, or its request had
   *     ended
   */
  CompletionStage<Optional<Runnable>> release(String id);

  /**
   * Closes a decision's account, once.
   *
   * @return charges the true cost in place of what was charged; empty where the id is unknown, or
   *     was settled
   */
  CompletionStage<Optional<LongConsumer>> settle(String id);

  /**
   * Holds a decision's permits for so long from now, or as long as before where that is longer.
   *
   * @return for how many microseconds they are held; empty where the id is unknown, or its request
   *     had ended
   */
  CompletionStage<OptionalLong> renew(String id, Duration hold);

  /**
   * Asks for how long a decision's permits are held still, and ends its request where that is over.
   *
   * @return the microseconds; empty where its request has ended
   */
  CompletionStage<OptionalLong> left(String id);
}
