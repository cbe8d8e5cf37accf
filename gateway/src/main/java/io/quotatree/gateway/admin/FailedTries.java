package io.quotatree.gateway.admin;

import io.quotatree.core.time.Ticker;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log of requests without the right token: at most a line in ten seconds, however many
 * come. Belongs to one event loop.
 */
final class FailedTries {

  private static final Logger log = LoggerFactory.getLogger(FailedTries.class);

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Ticker ticker;
  private long tries;
  private long toldNanos;

  FailedTries(Ticker ticker) {
    this.ticker = ticker;
    this.toldNanos = ticker.monotonicNanos() - PAUSE_NANOS;
  }

  void note(SocketAddress from) {
    tries++;
    long now = ticker.monotonicNanos();
    if (now - toldNanos >= PAUSE_NANOS) {
      toldNanos = now;
      log.warn(
          "admin address: requests without the right token: {}; the last from {}",
          tries,
          from == null ? "an unknown address" : from.hostAddress());
    }
  }
}
