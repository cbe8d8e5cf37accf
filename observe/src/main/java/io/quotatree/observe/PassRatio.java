package io.quotatree.observe;

import io.quotatree.core.time.Ticker;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The share of requests that were allowed, over about the last minute.
 *
 * <p>It is worked out from counts that are there anyway, noted whenever somebody reads it, so it
 * costs requests nothing, and several readers do not take from each other.
 */
final class PassRatio {

  private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long APART_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier allowed;
  private final LongSupplier all;
  private final Ticker ticker;

  /** The counts at earlier readings; the first is the one to compare with. Guarded by this. */
  private final Deque<Noted> noted = new ArrayDeque<>();

  private record Noted(long nanos, long allowed, long all) {}

  PassRatio(LongSupplier allowed, LongSupplier all, Ticker ticker) {
    this.allowed = allowed;
    this.all = all;
    this.ticker = ticker;
    noted.add(new Noted(ticker.monotonicNanos(), 0, 0));
  }

  /** The share from 0 to 1; 1 where there was no request. */
  synchronized double read() {
    // Of two counts that move, the smaller one is read first, so that no share is over 1.
    long nowAllowed = allowed.getAsLong();
    Noted now = new Noted(ticker.monotonicNanos(), nowAllowed, all.getAsLong());
    if (now.nanos() - noted.getLast().nanos() >= APART_NANOS) {
      noted.add(now);
    }
    while (noted.size() > 1 && now.nanos() - second().nanos() >= WINDOW_NANOS) {
      noted.removeFirst();
    }
    Noted base = noted.getFirst();
    long requests = now.all() - base.all();
    return requests == 0 ? 1 : (double) (now.allowed() - base.allowed()) / requests;
  }

  private Noted second() {
    return noted.stream().skip(1).findFirst().orElseThrow();
  }
}
