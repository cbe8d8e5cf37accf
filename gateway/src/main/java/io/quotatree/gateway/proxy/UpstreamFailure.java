package io.quotatree.gateway.proxy;

import io.vertx.core.http.ConnectionPoolTooBusyException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;

/**
 * What a client is told of an upstream that failed; no names and addresses of machines.
 *
 * @param status 502, 503 or 504
 * @param detail the reason
 */
record UpstreamFailure(int status, String detail) {

  static UpstreamFailure of(Throwable cause) {
    if (cause instanceof TimeoutException
        || cause instanceof io.netty.channel.ConnectTimeoutException) {
      return new UpstreamFailure(504, "the upstream could not be reached in time");
    }
    if (cause instanceof ConnectionPoolTooBusyException) {
      return new UpstreamFailure(503, "too many requests wait for the upstream; try again later");
    }
    if (cause instanceof ConnectException || cause instanceof UnknownHostException) {
      return new UpstreamFailure(502, "the upstream could not be reached");
    }
    return new UpstreamFailure(
        502, "the upstream ended the connection before its answer was whole");
  }
}
