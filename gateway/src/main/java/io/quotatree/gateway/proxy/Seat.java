package io.quotatree.gateway.proxy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A target's place among those that take turns, and whether it is left out.
 *
 * <p>As nginx has it by default ({@code max_fails=1 fail_timeout=10s}): after one failure a target
 * is left out for ten seconds. Then a single request tries it; if that works, the target is back,
 * and else it is left out for as long again.
 *
 * <pre>
 *   in ──failed──► out ──10 s──► one request tries ──worked──► in
 *                   ▲                    │
 *                   └───────failed───────┘
 * </pre>
 *
 * <p>Safe for use by several threads.
 */
final class Seat {

  static final long OUT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Target target;

  /**
   * Set by whoever sees a failure, cleared by whoever sees the target work. A late reading sends
   * one request more to a target that fails, or one less to one that works.
   */
  private volatile boolean out;

  /**
   * From when on a target that is out may be tried. Written by failures, and swapped by the one
   * request that tries it: whoever loses that swap goes elsewhere.
   */
  private final AtomicLong triedAgainNanos = new AtomicLong();

  Seat(Target target) {
    this.target = target;
  }

  Target target() {
    return target;
  }

  boolean isOut() {
    return out;
  }

  /** Whether the target takes a request now; one that is to be tried again takes a single one. */
  boolean takes(long nowNanos) {
    if (!out) {
      return true;
    }
    long againNanos = triedAgainNanos.get();
    return nowNanos - againNanos >= 0
        && triedAgainNanos.compareAndSet(againNanos, nowNanos + OUT_NANOS);
  }

  /** Leaves the target out; answers whether it was in. */
  boolean failed(long nowNanos) {
    boolean wasIn = !out;
    triedAgainNanos.set(nowNanos + OUT_NANOS);
    out = true;
    return wasIn;
  }

  /** Takes the target back; answers whether it was out. */
  boolean worked() {
    if (!out) {
      return false;
    }
    out = false;
    return true;
  }
}
