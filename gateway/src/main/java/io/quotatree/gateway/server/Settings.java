package io.quotatree.gateway.server;

import java.time.Duration;
import java.util.Optional;

/**
 * How a gateway meets the network. None of it changes while it runs, but what stands in the files
 * that {@code tls} names.
 *
 * @param listen where the proxy listens
 * @param admin where health and metrics are shown
 * @param eventLoops on how many threads requests are proxied
 * @param patience how long clients' connections may be without a request
 * @param neighbours whether other gateways may listen on the same addresses
 * @param tls the proxy's certificate; empty for none: then it speaks in the clear
 */
public record Settings(
    Address listen,
    Address admin,
    int eventLoops,
    Patience patience,
    Neighbours neighbours,
    Optional<Tls> tls) {

  /** Refuses what cannot run. */
  public Settings {
    if (eventLoops < 1) {
      throw new IllegalArgumentException(eventLoops + " event loops: give 1 at least");
    }
  }

  /** A loop for each core, nginx's patience, alone on its addresses, in the clear. */
  public static Settings on(Address listen, Address admin) {
    return new Settings(
        listen,
        admin,
        Runtime.getRuntime().availableProcessors(),
        Patience.USUAL,
        Neighbours.NONE,
        Optional.empty());
  }

  /** These settings with another patience. */
  public Settings withPatience(Patience changed) {
    return new Settings(listen, admin, eventLoops, changed, neighbours, tls);
  }

  /** These settings with so many event loops. */
  public Settings withEventLoops(int changed) {
    return new Settings(listen, admin, changed, patience, neighbours, tls);
  }

  /** These settings with other neighbours. */
  public Settings withNeighbours(Neighbours changed) {
    return new Settings(listen, admin, eventLoops, patience, changed, tls);
  }

  /** These settings with any free port in the place of each. */
  public Settings onFreePorts() {
    return new Settings(listen.found(0), admin.found(0), eventLoops, patience, neighbours, tls);
  }

  /** These settings with a certificate. */
  public Settings withTls(Tls added) {
    return new Settings(listen, admin, eventLoops, patience, neighbours, Optional.of(added));
  }

  /**
   * How long a client's connection may be without a request.
   *
   * @param idle from its beginning, or from the last answer, to the next request
   * @param head from the first byte of a request to the end of its head
   */
  public record Patience(Duration idle, Duration head) {

    /** As nginx has it: {@code keepalive_timeout} and {@code client_header_timeout}. */
    public static final Patience USUAL =
        new Patience(Duration.ofSeconds(75), Duration.ofSeconds(60));

    /** Refuses no patience at all. */
    public Patience {
      if (idle.toMillis() < 1 || head.toMillis() < 1) {
        throw new IllegalArgumentException(
            "connections kept for " + idle + ", heads waited for " + head + ": give 1 ms or more");
      }
    }
  }

  /** Who else may listen on the gateway's addresses. */
  public enum Neighbours {
    /** Nobody. */
    NONE,
    /** Other gateways of the same user of the system, so that one can take over from another. */
    GATEWAYS
  }
}
