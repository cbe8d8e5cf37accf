package io.quotatree.redis;

import io.quotatree.redis.servers.Script;
import io.quotatree.redis.servers.Store;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Corrections of what the store counts, for which nobody waits.
 *
 * <p>Where one is lost, a charge is one too many; a permit in flight ends by itself when it is not
 * renewed.
 */
final class Amends {

  private final Store store;
  private final Script script;
  private final Wire wire;

  /** Is run where permits were given back that somebody may have been refused for. */
  private final Runnable gaveBack;

  Amends(Store store, Script script, Wire wire, Runnable gaveBack) {
    this.store = store;
    this.script = script;
    this.wire = wire;
    this.gaveBack = gaveBack;
  }

  /** Ends the permits in flight of a holder. */
  void release(byte[] holder, byte[][] keys, Times times) {
    CompletableFuture<?> unused = send(keys, lines -> wire.release(holder, times));
  }

  /** Enters a holder of permits in flight that was granted without the store. */
  CompletionStage<?> enter(byte[] holder, byte[][] keys, Times times) {
    return send(keys, lines -> wire.enter(holder, times));
  }

  /** Takes more of some charges, or gives some back, which is told to the fleet. */
  void settle(Charged charged, int[] lines, long morePermits, Times times) {
    correct(charged, lines, morePermits, times);
    if (morePermits < 0 && lines.length > 0) {
      gaveBack.run();
    }
  }

  /**
   * Takes more of some charges, or gives some back. Nobody is told: of refusals that this may free
   * nobody remembers any for longer than a second.
   */
  void correct(Charged charged, int[] lines, long morePermits, Times times) {
    byte[][] keys = Round.some(charged.keys, lines);
    CompletableFuture<?> unused =
        send(
            keys,
            some -> {
              int[] ofCharged = IntStream.of(some).map(line -> lines[line]).toArray();
              return wire.settle(charged, ofCharged, morePermits, times);
            });
  }

  /** Says of each counter in turn which permit is still in flight. */
  void renew(byte[][] keys, byte[][] holders, Times times) {
    CompletableFuture<?> unused =
        send(keys, lines -> wire.renew(Round.some(holders, lines), times));
  }

  private CompletableFuture<Boolean> send(byte[][] keys, Function<int[], byte[]> argument) {
    if (keys.length == 0) {
      return CompletableFuture.completedFuture(true);
    }
    Sending sending = new Sending(keys, argument);
    sending.begin(Round.bySlot(store, keys, IntStream.range(0, keys.length).toArray()));
    return sending.done;
  }

  private final class Sending extends Round {

    private final CompletableFuture<Boolean> done = new CompletableFuture<>();
    private final byte[][] keys;
    private final Function<int[], byte[]> argument;

    Sending(byte[][] keys, Function<int[], byte[]> argument) {
      super(store, script);
      this.keys = keys;
      this.argument = argument;
    }

    @Override
    byte[][] keys(int[] places) {
      return some(keys, places);
    }

    @Override
    byte[] argument(int[] places) {
      return argument.apply(places);
    }

    @Override
    void answered(int[] places, byte[] reply) {}

    @Override
    void failed(Throwable failure) {
      done.completeExceptionally(failure);
    }

    @Override
    void complete() {
      done.complete(true);
    }
  }
}
