package io.quotatree.gateway.proxy;

import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.Spacing;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log of mistakes of the gateway itself: one a second at most, for whoever finds a
 * request that brings one about can send it again and again. Nothing that the client wrote is told:
 * a path or a query may hold what is nobody's business.
 */
final class Mistakes {

  private static final Logger log = LoggerFactory.getLogger(Mistakes.class);

  private final Spacing lines;

  Mistakes(Ticker ticker) {
    this.lines = new Spacing(ticker, Duration.ofSeconds(1));
  }

  /**
   * Notes a mistake.
   *
   * @param during what was being done, in words of the gateway's own
   */
  void note(String during, RuntimeException mistake) {
    if (lines.allows()) {
      log.error("{}: a mistake in the gateway", during, mistake);
    }
  }
}
