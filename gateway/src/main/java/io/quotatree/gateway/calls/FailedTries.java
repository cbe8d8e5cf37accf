package io.quotatree.gateway.calls;

import io.quotatree.core.time.Ticker;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log of requests without the right token: at most a line in ten seconds, however many
 * come. Belongs to one event loop.
 */
public final class FailedTries {

  private static final Logger log = LoggerFactory.getLogger(FailedTries.class);

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Ticker ticker;
  private final String place;
  private long tries;
  private long toldNanos;

  /**
   * No tries yet.
   *
   * @param place what was tried at, in words
   */
  public FailedTries(Ticker ticker, String place) {
    this.ticker = ticker;
    this.place = place;
    this.toldNanos = ticker.monotonicNanos() - PAUSE_NANOS;
  }

  /** Notes a request that came without the right token. */
  public void note(SocketAddress from) {
    tries++;
    long now = ticker.monotonicNanos();
    if (now - toldNanos >= PAUSE_NANOS) {
      toldNanos = now;
      log.warn(
          "{}: requests without the right token: {}; the last from {}",
          place,
          tries,
          from == null ? "an unknown address" : from.hostAddress());
    }
  }
}
