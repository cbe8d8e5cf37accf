package io.quotatree.redis;

import io.quotatree.core.time.Ticker;
import io.quotatree.redis.fleet.Fleet;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Joins the fleet to the store: how this gateway announces itself there. What becomes of that shows
 * how the server is, as any question does.
 */
final class Membership {

  /** Nobody waits for it; a server that was replaced may never answer what it was asked. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Store store;
  private final Script amend;
  private final Wire wire;
  private final Breakers breakers;
  private final byte[][] key;
  private final byte[] member;

  /**
   * The membership of one gateway.
   *
   * @param member who it is: as long as a holder
   */
  Membership(RedisLedger.Parts parts, Breakers breakers, byte[] member) {
    this.store = parts.store();
    this.amend = Script.Both.by(parts.clock()).amend();
    this.wire = new Wire(parts.clock());
    this.breakers = breakers;
    this.key = new byte[][] {(parts.prefix() + ":1:{node}:fleet").getBytes(StandardCharsets.UTF_8)};
    this.member = member;
  }

  /** A fleet that this gateway has joined. */
  static Fleet joined(Membership membership, RedisLedger.Parts parts, IntConsumer counted) {
    Fleet fleet = new Fleet(membership::announce, Ticker.system(), parts.timer(), counted);
    fleet.join();
    return fleet;
  }

  private CompletionStage<byte[]> announce(long holdMicros) {
    if (!breakers.isAsked(key[0])) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("the store's server gives no answers"));
    }
    return store
        .call(amend, key, wire.announce(member, holdMicros, Times.STORES_OWN))
        .toCompletableFuture()
        .orTimeout(PATIENCE_NANOS, TimeUnit.NANOSECONDS)
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                breakers.answered(key[0]);
              } else {
                breakers.failed(key[0]);
              }
            });
  }
}
