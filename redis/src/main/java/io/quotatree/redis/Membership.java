package io.quotatree.redis;

import io.quotatree.core.time.Ticker;
import io.quotatree.redis.fleet.Fleet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * How this gateway announces itself to its fleet, as long as the server is asked that has to know.
 * What becomes of that shows how the server is, as any question does.
 */
final class Membership {

  /** Nobody waits for it; a server that was replaced may never answer what it was asked. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Forgettings forgettings;
  private final Breakers breakers;

  Membership(Forgettings forgettings, Breakers breakers) {
    this.forgettings = forgettings;
    this.breakers = breakers;
  }

  /** A fleet that this gateway has joined. */
  Fleet joined(ScheduledExecutorService timer, IntConsumer counted) {
    Fleet fleet = new Fleet(this::announce, Ticker.system(), timer, counted);
    fleet.join();
    return fleet;
  }

  private CompletionStage<byte[]> announce(long holdMicros) {
    byte[] key = forgettings.key();
    if (!breakers.isAsked(key)) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("the store's server gives no answers"));
    }
    return forgettings
        .announce(holdMicros)
        .toCompletableFuture()
        .orTimeout(PATIENCE_NANOS, TimeUnit.NANOSECONDS)
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                breakers.answered(key);
              } else {
                breakers.failed(key);
              }
            });
  }
}
