package io.quotatree.gateway.proxy;

import io.vertx.core.http.HttpClient;

/**
 * The clients that one event loop speaks to targets with. Their connections live on that loop, so
 * an exchange never changes threads.
 *
 * @param http1 speaks HTTP/1.1
 * @param http2 speaks HTTP/2: known beforehand in the clear, by ALPN over TLS
 */
public record UpstreamClients(HttpClient http1, HttpClient http2) {

  HttpClient of(Target target) {
    return target.transport().http2() ? http2 : http1;
  }
}
