package io.quotatree.gateway;

import io.quotatree.core.time.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets something happen at most once in a pause: a line in the log, say, that those outside could
 * bring about as often as they like. Safe for use by several threads.
 */
public final class Spacing {

  private final Ticker ticker;
  private final long pauseNanos;

  /** When it happened last; whoever swaps it may let it happen. */
  private final AtomicLong lastNanos;

  /** The first time it may happen at once. */
  public Spacing(Ticker ticker, Duration pause) {
    this.ticker = ticker;
    this.pauseNanos = pause.toNanos();
    this.lastNanos = new AtomicLong(ticker.monotonicNanos() - pauseNanos);
  }

  /** Whether it may happen now; who is told yes lets it. */
  public boolean allows() {
    long now = ticker.monotonicNanos();
    long last = lastNanos.get();
    return now - last >= pauseNanos && lastNanos.compareAndSet(last, now);
  }
}
