package io.quotatree.redis;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * The permits in flight that this gateway holds: they are renewed while the gateway lives, and end
 * by themselves soon after it does not.
 *
 * <p>A holder is a number of this gateway's beside one that nobody else drew, so no release can end
 * another's permit.
 */
final class Holders {

  private static final int KEYS_AT_ONCE = 250;

  private final long gateway = new SecureRandom().nextLong();
  private final AtomicLong last = new AtomicLong();
  private final Map<Long, byte[][]> held = new ConcurrentHashMap<>();

  /** Those of them that the store does not know of, since it was away: by their numbers. */
  private final Map<Long, byte[]> untold = new ConcurrentHashMap<>();

  /** A holder that never was. */
  byte[] fresh() {
    return ByteBuffer.allocate(Wire.HOLDER_BYTES)
        .putLong(gateway)
        .putLong(last.incrementAndGet())
        .array();
  }

  private static long number(byte[] holder) {
    return ByteBuffer.wrap(holder).getLong(Long.BYTES);
  }

  /** From now on the holder's permits are renewed. */
  void hold(byte[] holder, byte[][] keys) {
    held.put(number(holder), keys);
  }

  /** The same of permits that the store was not told of. */
  void holdUntold(byte[] holder, byte[][] keys) {
    untold.put(number(holder), holder);
    hold(holder, keys);
  }

  /** From now on they are not. */
  void end(byte[] holder) {
    held.remove(number(holder));
    untold.remove(number(holder));
  }

  boolean hasUntold() {
    return !untold.isEmpty();
  }

  /**
   * Tells the store of all that it does not know of. One that it does not take is told again; one
   * that ended meanwhile is ended there too.
   *
   * @param telling tells of one holder and its keys
   * @param ending ends one holder's permits
   */
  void eachUntold(
      BiFunction<byte[], byte[][], CompletionStage<?>> telling,
      BiConsumer<byte[], byte[][]> ending) {
    untold.forEach(
        (number, holder) -> {
          byte[][] keys = held.get(number);
          if (untold.remove(number) == null || keys == null) {
            return;
          }
          CompletionStage<?> unused =
              telling
                  .apply(holder, keys)
                  .whenComplete(
                      (taken, failure) -> {
                        if (failure != null && held.containsKey(number)) {
                          untold.put(number, holder);
                        }
                      });
          if (!held.containsKey(number)) {
            ending.accept(holder, keys);
          }
        });
  }

  int size() {
    return held.size();
  }

  /** Hands out all keys with their holders, some at a time. */
  void each(BiConsumer<byte[][], byte[][]> renewing) {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> holders = new ArrayList<>();
    held.forEach(
        (number, ofHolder) -> {
          byte[] holder =
              ByteBuffer.allocate(Wire.HOLDER_BYTES).putLong(gateway).putLong(number).array();
          for (byte[] key : ofHolder) {
            keys.add(key);
            holders.add(holder);
          }
          if (keys.size() >= KEYS_AT_ONCE) {
            handOut(keys, holders, renewing);
          }
        });
    if (!keys.isEmpty()) {
      handOut(keys, holders, renewing);
    }
  }

  private static void handOut(
      List<byte[]> keys, List<byte[]> holders, BiConsumer<byte[][], byte[][]> renewing) {
    renewing.accept(keys.toArray(new byte[0][]), holders.toArray(new byte[0][]));
    keys.clear();
    holders.clear();
  }
}
