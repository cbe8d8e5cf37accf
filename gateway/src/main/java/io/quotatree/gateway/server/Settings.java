package io.quotatree.gateway.server;

import java.time.Duration;

/**
 * How a gateway meets the network. None of it changes while it runs.
 *
 * @param listen where the proxy listens
 * @param admin where health and metrics are shown
 * @param eventLoops on how many threads requests are proxied
 * @param keepAlive how long a client's connection may be without a request
 */
public record Settings(Address listen, Address admin, int eventLoops, Duration keepAlive) {

  /** As long as nginx keeps one. */
  public static final Duration KEEP_ALIVE = Duration.ofSeconds(75);

  /** Refuses what cannot run. */
  public Settings {
    if (eventLoops < 1) {
      throw new IllegalArgumentException(eventLoops + " event loops: give 1 at least");
    }
    if (keepAlive.toMillis() < 1) {
      throw new IllegalArgumentException(
          "connections kept for " + keepAlive + ": give 1 ms or more");
    }
  }

  /** A loop for each core, and connections kept as nginx keeps them. */
  public static Settings on(Address listen, Address admin) {
    return new Settings(listen, admin, Runtime.getRuntime().availableProcessors(), KEEP_ALIVE);
  }
}
