package io.quotatree.gateway.proxy;

import io.quotatree.observe.UpstreamMeters.Failure;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;

/**
 * What a client is told of an upstream that failed; no names and addresses of machines.
 *
 * @param status 502, 503 or 504
 * @param kind how it failed
 * @param detail the reason
 */
record UpstreamFailure(int status, Failure kind, String detail) {

  static UpstreamFailure of(Throwable cause) {
    if (cause instanceof TimeoutException
        || cause instanceof io.netty.channel.ConnectTimeoutException) {
      return new UpstreamFailure(504, Failure.TIMEOUT, "the upstream could not be reached in time");
    }
    if (cause instanceof ConnectionPoolTooBusyException) {
      return new UpstreamFailure(
          503, Failure.BUSY, "too many requests wait for the upstream; try again later");
    }
    if (cause instanceof ConnectException || cause instanceof UnknownHostException) {
      return new UpstreamFailure(502, Failure.CONNECT, "the upstream could not be reached");
    }
    return new UpstreamFailure(
        502, Failure.BROKEN, "the upstream ended the connection before its answer was whole");
  }

  /** Whether it is the target that failed, and not the way there. */
  boolean blamesTarget() {
    return kind != Failure.BUSY;
  }
}
