package io.quotatree.redis;

import static java.util.Objects.requireNonNull;

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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
  private final Map<Long, Untold> untold = new ConcurrentHashMap<>();

  /** A holder and the keys that do not know of it; is itself alone. */
  private static final class Untold {

    private final byte[] holder;
    private final byte[][] keys;

    Untold(byte[] holder, byte[][] keys) {
      this.holder = holder;
      this.keys = keys;
    }

    Untold and(Untold others) {
      return new Untold(
          holder, Stream.of(keys, others.keys).flatMap(Stream::of).toArray(byte[][]::new));
    }

    Untold only(List<byte[]> some) {
      return new Untold(holder, some.toArray(byte[][]::new));
    }
  }

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
    untold.put(number(holder), new Untold(holder, keys));
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
   * Tells the store of all that it does not know of. What it does not take is told again; a holder
   * that ended meanwhile is ended there too.
   *
   * @param some the keys that are told
   * @param telling tells some keys of a holder
   * @param ending ends a holder's permits
   */
  void eachUntold(
      Predicate<byte[]> some,
      BiFunction<byte[], byte[][], CompletionStage<?>> telling,
      BiConsumer<byte[], byte[][]> ending) {
    untold.forEach(
        (number, all) -> {
          Map<Boolean, List<byte[]>> parts =
              Stream.of(all.keys).collect(Collectors.partitioningBy(some));
          Untold told = all.only(requireNonNull(parts.get(true)));
          if (!held.containsKey(number)) {
            untold.remove(number);
          } else if (told.keys.length > 0
              && replace(number, all, all.only(requireNonNull(parts.get(false))))) {
            CompletionStage<?> unused =
                telling
                    .apply(told.holder, told.keys)
                    .whenComplete((taken, failure) -> putBack(number, told, failure));
            if (!held.containsKey(number)) {
              ending.accept(told.holder, told.keys);
            }
          }
        });
  }

  /** False where somebody ended it meanwhile. */
  private boolean replace(Long number, Untold all, Untold left) {
    return left.keys.length == 0 ? untold.remove(number, all) : untold.replace(number, all, left);
  }

  private void putBack(Long number, Untold told, @Nullable Throwable failure) {
    if (failure != null && held.containsKey(number)) {
      untold.merge(number, told, Untold::and);
    }
  }

  int size() {
    return held.size();
  }

  /**
   * Hands out keys with their holders, some at a time.
   *
   * @param some the keys that are handed out
   */
  void each(Predicate<byte[]> some, BiConsumer<byte[][], byte[][]> renewing) {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> holders = new ArrayList<>();
    held.forEach(
        (number, ofHolder) -> {
          byte[] holder =
              ByteBuffer.allocate(Wire.HOLDER_BYTES).putLong(gateway).putLong(number).array();
          for (byte[] key : ofHolder) {
            if (some.test(key)) {
              keys.add(key);
              holders.add(holder);
            }
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
