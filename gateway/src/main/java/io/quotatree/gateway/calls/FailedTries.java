package io.quotatree.gateway.calls;

import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.Spacing;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log of requests without the right token: at most a line in ten seconds, however many
 * come. Belongs to one event loop.
 */
public final class FailedTries {

  private static final Logger log = LoggerFactory.getLogger(FailedTries.class);

  private final Spacing lines;
  private final String place;
  private long tries;

  /**
   * No tries yet.
   *
   * @param place what was tried at, in words
   */
  public FailedTries(Ticker ticker, String place) {
    this.lines = new Spacing(ticker, Duration.ofSeconds(10));
    this.place = place;
  }

  /** Notes a request that came without the right token. */
  public void note(SocketAddress from) {
    tries++;
    if (lines.allows()) {
      log.warn(
          "{}: requests without the right token: {}; the last from {}",
          place,
          tries,
          from == null ? "an unknown address" : from.hostAddress());
    }
  }
}
