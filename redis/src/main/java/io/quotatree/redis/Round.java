package io.quotatree.redis;

import io.quotatree.redis.servers.Script;
import io.quotatree.redis.servers.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Calls of one script that are made at the same time, one for the keys of each slot.
 *
 * <p>While a slot is moved, keys that are not there yet are asked for at its new place, and the
 * cluster refuses calls with keys of both places. Nothing was done then, and each key is asked for
 * by itself.
 *
 * <p>Answers come on the threads of several connections; {@link #complete} comes after all of them.
 */
abstract class Round {

  private final Store store;
  private final Script script;

  /** Calls without an answer. */
  private final AtomicInteger open = new AtomicInteger();

  private final AtomicBoolean failed = new AtomicBoolean();

  Round(Store store, Script script) {
    this.store = store;
    this.script = script;
  }

  /** Some of the places of a plan, or of other lines: those of each slot. */
  static List<int[]> bySlot(Store store, byte[][] keys, int[] places) {
    if (!store.isSpread()) {
      return List.of(places);
    }
    List<int[]> groups = new ArrayList<>(places.length);
    int[] slots = IntStream.of(places).map(place -> store.slotOf(keys[place])).toArray();
    for (int i = 0; i < places.length; i++) {
      int slot = slots[i];
      if (indexOf(slot, slots) == i) {
        groups.add(
            IntStream.range(i, places.length)
                .filter(j -> slots[j] == slot)
                .map(j -> places[j])
                .toArray());
      }
    }
    return groups;
  }

  private static int indexOf(int slot, int[] slots) {
    int at = 0;
    while (slots[at] != slot) {
      at++;
    }
    return at;
  }

  /** The keys at some places, which are in order. */
  static byte[][] some(byte[][] keys, int[] places) {
    return places.length == keys.length
        ? keys
        : Arrays.stream(places).mapToObj(place -> keys[place]).toArray(byte[][]::new);
  }

  /** Makes the calls; there is at least one. */
  final void begin(List<int[]> groups) {
    open.addAndGet(groups.size());
    groups.forEach(this::call);
  }

  private void call(int[] places) {
    send(keys(places), argument(places))
        .whenComplete(
            (reply, failure) -> {
              if (failure == null) {
                answered(places, reply);
                end();
              } else if (places.length > 1 && Store.isTornApart(failure)) {
                begin(IntStream.of(places).mapToObj(place -> new int[] {place}).toList());
                end();
              } else if (failed.compareAndSet(false, true)) {
                failed(failure);
              }
            });
  }

  /** Makes a call; somebody may wait for it, and look at the time. */
  CompletionStage<byte[]> send(byte[][] keys, byte[] argument) {
    return store.call(script, keys, argument);
  }

  private void end() {
    if (open.decrementAndGet() == 0) {
      complete();
    }
  }

  /** The keys of a call, for the lines at these places. */
  abstract byte[][] keys(int[] places);

  /** The argument of a call, for the lines at these places. */
  abstract byte[] argument(int[] places);

  /** A call was answered; perhaps after another has failed. */
  abstract void answered(int[] places, byte[] reply);

  /** A call was not answered; told of the first only. */
  abstract void failed(Throwable failure);

  /** All calls were answered. */
  abstract void complete();
}
