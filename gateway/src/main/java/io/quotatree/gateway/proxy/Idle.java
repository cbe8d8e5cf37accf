package io.quotatree.gateway.proxy;

import java.time.Duration;

/**
 * How long nothing may move while a request is under way.
 *
 * @param body within a body, either way
 * @param stream within what is made to stand open: server-sent events, gRPC calls and WebSockets
 */
public record Idle(Duration body, Duration stream) {

  /**
   * A body as with nginx; a stream for an hour, since its upstream may have nothing to tell, and
   * whoever it belongs to is known to be there by the connection.
   */
  public static final Idle DEFAULT = new Idle(Duration.ofSeconds(60), Duration.ofHours(1));

  /** Refuses what would end every request. */
  public Idle {
    if (body.toMillis() < 1 || stream.toMillis() < 1) {
      throw new IllegalArgumentException(
          "bodies may stand still for " + body + ", streams for " + stream + ": give 1 ms or more");
    }
  }
}
