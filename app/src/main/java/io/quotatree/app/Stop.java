package io.quotatree.app;

import java.util.concurrent.CountDownLatch;

/**
 * Waits for whoever stops the process: SIGTERM or Ctrl-C. Whoever presses Ctrl-C again does not
 * wait any more; a second SIGTERM says nothing new, and some tools send two.
 */
final class Stop {

  /** What shells make of a process that Ctrl-C ended. */
  private static final int INTERRUPTED = 130;

  private final CountDownLatch asked = new CountDownLatch(1);

  private Stop() {}

  /** From now on the signals are ours. */
  static Stop onSignals() {
    Stop stop = new Stop();
    Signals.on("TERM", stop.asked::countDown);
    Signals.on("INT", stop::interrupt);
    return stop;
  }

  private void interrupt() {
    if (asked.getCount() == 0) {
      Runtime.getRuntime().halt(INTERRUPTED);
    }
    asked.countDown();
  }

  void await() throws InterruptedException {
    asked.await();
  }
}
