package io.quotatree.gateway;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a test opened, to be closed in the reverse order when it is over. */
final class Opened implements AutoCloseable {

  private final Deque<AutoCloseable> things = new ArrayDeque<>();

  /** Sees to it that something is closed. */
  <T extends AutoCloseable> T add(T thing) {
    things.push(thing);
    return thing;
  }

  @Override
  public void close() throws Exception {
    while (!things.isEmpty()) {
      things.pop().close();
    }
  }
}
