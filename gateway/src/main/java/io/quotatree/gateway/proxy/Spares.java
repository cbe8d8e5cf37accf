package io.quotatree.gateway.proxy;

import io.quotatree.core.engine.Decision;
import java.util.ArrayDeque;

/**
 * Decisions of requests that are over, for those to come: each is some kilobytes of arrays, and a
 * gateway that made one a request would push out of the caches what it works with.
 *
 * <p>Only decisions that nobody else knows come back: one that a store was asked about may still
 * hear from it. Used on one event loop.
 */
final class Spares {

  /** As many as requests are usually under way; a decision that was one of more is let go. */
  private static final int MOST = 256;

  private final ArrayDeque<Decision> spares = new ArrayDeque<>();

  Decision take() {
    Decision spare = spares.pollLast();
    return spare == null ? new Decision() : spare;
  }

  /** Takes one back that holds nothing any more. */
  void back(Decision over) {
    if (spares.size() < MOST) {
      spares.addLast(over);
    }
  }
}
