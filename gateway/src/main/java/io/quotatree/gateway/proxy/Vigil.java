package io.quotatree.gateway.proxy;

import io.vertx.core.Vertx;
import org.jspecify.annotations.Nullable;

/**
 * Looks after all that one event loop waits for, by one timer: a timer for each request would cost
 * more than most requests wait.
 *
 * <p>From time to time it goes round all waits and ends those that took too long. So a wait ends
 * late by up to a sixteenth of the shortest wait that it knows, and by {@link
 * #LONGEST_ROUND_MILLIS} at most; never early. Used on one event loop.
 */
final class Vigil {

  private static final long LONGEST_ROUND_MILLIS = 100;
  private static final long SHARE_LATE = 16;
  private static final long NO_TIMER = -1;

  private final Vertx vertx;
  private @Nullable Patience first;

  /** Where a round goes on: ending one wait may end others, this one among them. */
  private @Nullable Patience next;

  private long roundMillis = LONGEST_ROUND_MILLIS;
  private long timer = NO_TIMER;

  Vigil(Vertx vertx) {
    this.vertx = vertx;
  }

  void add(Patience wait) {
    wait.after = first;
    if (first != null) {
      first.before = wait;
    }
    first = wait;
    if (timer == NO_TIMER) {
      arm();
    }
  }

  void remove(Patience wait) {
    if (next == wait) {
      next = wait.after;
    }
    if (wait.before == null) {
      first = wait.after;
    } else {
      wait.before.after = wait.after;
    }
    if (wait.after != null) {
      wait.after.before = wait.before;
    }
    wait.before = null;
    wait.after = null;
  }

  /** A wait may be as short as this: rounds are made often enough for it. */
  void knows(long millis) {
    long wanted = Math.max(1, millis / SHARE_LATE);
    if (wanted < roundMillis) {
      roundMillis = wanted;
      if (timer != NO_TIMER) {
        vertx.cancelTimer(timer);
        arm();
      }
    }
  }

  private void arm() {
    timer = vertx.setTimer(roundMillis, this::round);
  }

  private void round(long id) {
    timer = NO_TIMER;
    long nowNanos = Patience.CLOCK.monotonicNanos();
    next = first;
    try {
      while (next != null) {
        Patience wait = next;
        next = wait.after;
        wait.endIfOver(nowNanos);
      }
    } finally {
      // After a mistake in one of them the others are looked at in the next round.
      next = null;
      if (first != null && timer == NO_TIMER) {
        arm();
      }
    }
  }
}
