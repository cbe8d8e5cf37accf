package io.quotatree.redis;

import io.quotatree.core.memo.RememberingLedger;
import io.quotatree.core.memo.RememberingLedger.Refunds;
import io.quotatree.core.time.Ticker;
import io.quotatree.redis.servers.Script;
import io.quotatree.redis.servers.Store;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the gateways of a fleet tell each other to forget, by a number in the store.
 *
 * <p>The number grows whenever counters were emptied, quotas replaced, or permits given back after
 * a while without. Each announcement of this gateway brings it along, so what is remembered has
 * been confirmed within a second, or is not told. A message on a channel asks for an announcement
 * at once; whether it means anything only the number says.
 *
 * <p>All is forgotten where the number is another one, whether it grew or a store lost its data;
 * where nobody could look for a while; and where the store's clock was set, since waits end by that
 * clock.
 *
 * <p>Permits that are given back often are not told each time. After the first of them the store
 * says for ten seconds that more are expected, and for as long nobody remembers refusals that they
 * may free for longer than a second.
 *
 * <p>Safe for use by several threads.
 */
final class Forgettings {

  private static final Logger LOG = LoggerFactory.getLogger(Forgettings.class);

  /** Looks that are further apart than this confirm nothing. */
  private static final long GAP_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** What the store says is expected has to go on for that long, lest it ends unseen. */
  private static final long EXPECTED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long PATIENCE_MILLIS = 1_000;
  private static final String HEARD = "1";

  /** As long as in the script. */
  private static final long GIVING_BACK_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Store store;
  private final Script script;
  private final Wire wire;
  private final byte[][] key;
  private final byte[][] announcedAt;
  private final byte[] member;
  private final Ticker ticker = Ticker.system();

  /** Whether the gateway gave permits back since it last announced itself. */
  private final AtomicBoolean gaveBack = new AtomicBoolean();

  /** True while everybody is told that permits are given back. */
  private final AtomicBoolean telling = new AtomicBoolean();

  private final AtomicBoolean toldUnheard = new AtomicBoolean();

  /** Until when permits are expected to be given back; written with each look. */
  private volatile long expectedNanos = ticker.monotonicNanos();

  /** Who forgets, and by which clock he remembers; null for nobody. Written once. */
  private volatile @Nullable Remembering remembering;

  /** Is run where something was changed; any thread may replace it. */
  private volatile Runnable changed = () -> {};

  // Guarded by this object's monitor:
  private final StoreClock clock = new StoreClock();
  private @Nullable Look last;

  private record Remembering(RememberingLedger memory, Ticker ticker) {}

  /**
   * What was seen.
   *
   * @param begunNanos when the look began, by the clock of the memory
   * @param number the store's
   * @param refunds whether permits are expected to be given back
   */
  private record Look(long begunNanos, long number, Refunds refunds) {
    /** Whether what stood at the one before stands, but for what the number tells. */
    boolean follows(@Nullable Look before) {
      return before != null
          && refunds == before.refunds
          && begunNanos - before.begunNanos <= GAP_NANOS;
    }
  }

  /** When a look was begun: by the clock of the memory, and by that of this process. */
  private record Begun(long memoryNanos, long systemNanos) {}

  /**
   * Nothing is known yet.
   *
   * @param script amends
   * @param member who this gateway is in its fleet
   */
  Forgettings(RedisLedger.Parts parts, Script script, Wire wire, byte[] member) {
    this.store = parts.store();
    this.script = script;
    this.wire = wire;
    this.member = member;
    byte[] fleet = (parts.prefix() + ":1:{node}:fleet").getBytes(StandardCharsets.UTF_8);
    this.key = new byte[][] {key(parts.prefix())};
    this.announcedAt = new byte[][] {fleet, key[0]};
  }

  /** The key of the number, and the name of the channel. */
  static byte[] key(String prefix) {
    return (prefix + ":1:{node}:forgettings").getBytes(StandardCharsets.UTF_8);
  }

  byte[] key() {
    return key[0];
  }

  /** A ledger forgets from now on what is told. */
  void tellTo(RememberingLedger memory, Ticker itsTicker) {
    remembering = new Remembering(memory, itsTicker);
  }

  /** From now on this is run where somebody may have changed something. */
  void whenChanged(Runnable run) {
    changed = run;
  }

  /** Announces this gateway to its fleet; answers what the store says of that. */
  CompletionStage<byte[]> announce(long holdMicros) {
    Remembering who = remembering;
    Begun begun = new Begun(who == null ? 0 : who.ticker.monotonicNanos(), ticker.monotonicNanos());
    boolean gave = gaveBack.getAndSet(false);
    return store
        .call(script, announcedAt, wire.announce(member, holdMicros, gave))
        .whenComplete(
            (answer, failure) -> {
              if (failure != null && gave) {
                gaveBack.set(true);
              }
            })
        .thenApply(answer -> read(answer, begun));
  }

  /** Answers what follows on what is read here. */
  private byte[] read(byte[] answer, Begun begun) {
    String[] parts = new String(answer, StandardCharsets.US_ASCII).split(" ", 4);
    if (parts.length < 4) {
      throw new IllegalStateException("another program answers there");
    }
    long number = Long.parseLong(parts[0]);
    long storeNanos = TimeUnit.MICROSECONDS.toNanos(Long.parseLong(parts[1]));
    long expected = TimeUnit.MICROSECONDS.toNanos(Long.parseLong(parts[2]));
    expectedNanos = begun.systemNanos + expected;
    Refunds refunds = expected > 0 ? Refunds.EXPECTED : Refunds.NONE;
    synchronized (this) {
      boolean isSameClock = clock.goesOn(begun.systemNanos, storeNanos, ticker.monotonicNanos());
      looked(new Look(begun.memoryNanos, number, refunds), isSameClock);
    }
    return parts[3].getBytes(StandardCharsets.US_ASCII);
  }

  /** With this object's monitor; nobody waits in it. */
  private void looked(Look look, boolean isSameClock) {
    Look before = last;
    last = look;
    boolean isOther = before == null || before.number != look.number;
    Remembering who = remembering;
    if (who != null) {
      if (isOther || !isSameClock || !look.follows(before)) {
        who.memory.forget();
      }
      who.memory.confirm(look.begunNanos, look.refunds);
    }
    if (isOther) {
      changed.run();
    }
  }

  /** Everybody is to forget. Fails where the store gave no answer. */
  CompletableFuture<?> tellAll() {
    return tellAll(false);
  }

  private CompletableFuture<?> tellAll(boolean forGivingBack) {
    return store
        .call(script, key, wire.forget(forGivingBack))
        .toCompletableFuture()
        .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
        .thenAccept(this::warnWhereUnheard);
  }

  private void warnWhereUnheard(byte[] answer) {
    boolean isHeard = Arrays.equals(answer, HEARD.getBytes(StandardCharsets.US_ASCII));
    if (!isHeard && toldUnheard.compareAndSet(false, true)) {
      LOG.warn(
          "the store does not let this gateway publish on its channel {}, so other gateways see"
              + " what it changes after up to a second; give its user `&{}` and the command"
              + " publish",
          new String(key(), StandardCharsets.UTF_8),
          new String(key(), StandardCharsets.UTF_8));
    }
  }

  /** Permits were given back, which somebody may have been refused for. */
  void gaveBack() {
    if (!gaveBack.get()) {
      gaveBack.set(true);
    }
    long nowNanos = ticker.monotonicNanos();
    boolean isExpected = expectedNanos - nowNanos > EXPECTED_NANOS;
    if (!isExpected && telling.compareAndSet(false, true)) {
      CompletableFuture<?> unused =
          tellAll(true)
              .whenComplete(
                  (told, failure) -> {
                    if (failure == null) {
                      expectedNanos = nowNanos + GIVING_BACK_NANOS;
                    }
                    telling.set(false);
                  });
    }
  }
}
