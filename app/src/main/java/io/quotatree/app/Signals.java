package io.quotatree.app;

import sun.misc.Signal;

/**
 * The signals of the operating system, which the JDK offers in {@code sun.misc} alone. Where one
 * does not exist (Windows has no HUP), or the JVM keeps it to itself ({@code -Xrs}), nothing happens.
 */
final class Signals {

  private Signals() {}

  /** Runs an action on a thread of its own whenever the signal arrives. */
  static void on(String name, Runnable action) {
    try {
      Signal.handle(new Signal(name), signal -> action.run());
    } catch (IllegalArgumentException e) {
      // There is no such signal here: then nobody can send it either.
    }
  }
}
