package io.quotatree.gateway.server;

import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import java.util.concurrent.TimeUnit;

/** The bounds of HTTP on both sides, all in one place. */
final class HttpLimits {

  /** A longer request line is answered with 414. */
  static final int REQUEST_LINE_BYTES = 4096;

  /** A longer head of a request is answered with 431. */
  static final int REQUEST_HEAD_BYTES = 8192;

  /** More header fields than that are answered with 431: as many as Apache takes. */
  static final int MAX_FIELDS = 100;

  /** Requests that a client may have under way on one connection over HTTP/2. */
  private static final int STREAMS = 128;

  /**
   * How much of a body a client may send ahead over HTTP/2: on one stream, and on all streams of a
   * connection together, whatever the upstreams take.
   */
  private static final int STREAM_WINDOW_BYTES = 64 * 1024;

  private static final int CONNECTION_WINDOW_BYTES = 1024 * 1024;

  /**
   * How many of a client's streams may be reset, by either side, within the seconds below; over it
   * the connection ends. Nobody who goes away in good faith is as fast (CVE-2023-44487).
   */
  private static final int RESETS = 200;

  private static final int RESETS_SECONDS = 30;

  /** A client that takes longer for TLS is let go. */
  private static final int HANDSHAKE_SECONDS = 10;

  /** An upstream is ours, and may set many cookies; a longer head of its answer is a 502. */
  private static final int ANSWER_HEAD_BYTES = 64 * 1024;

  /** In how large pieces bodies pass. */
  private static final int PIECE_BYTES = 8192;

  /** Connections that the system may hold before they are taken. */
  private static final int BACKLOG = 1024;

  /**
   * Connections to one target from one event loop. Upstreams are protected by quotas, so this only
   * keeps the gateway's own sockets bounded.
   */
  private static final int CONNECTIONS_PER_TARGET = 1024;

  /** The same over HTTP/2, each of which carries as many requests as the target allows. */
  private static final int HTTP2_CONNECTIONS_PER_TARGET = 8;

  /** Requests of one event loop that wait for such a connection; more are answered with 503. */
  private static final int WAITING_PER_TARGET = 1024;

  private static final int UPSTREAM_KEEP_ALIVE_SECONDS = 60;

  /** An upstream's own timeout is mostly shorter; it ends the wait, this the attempt. */
  private static final int CONNECT_MILLIS = 60_000;

  private HttpLimits() {}

  /** Options of an address that all event loops listen on together. */
  static HttpServerOptions sharedServer(Address address, Settings.Neighbours neighbours) {
    // A negative port is any free one, the same for all that ask by the same number.
    return server(address, neighbours).setPort(address.port() == 0 ? -1 : address.port());
  }

  static HttpServerOptions server(Address address, Settings.Neighbours neighbours) {
    return new HttpServerOptions()
        .setReusePort(neighbours == Settings.Neighbours.GATEWAYS)
        .setHost(address.host())
        .setPort(address.port())
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(STREAMS)
                .setInitialWindowSize(STREAM_WINDOW_BYTES)
                .setMaxHeaderListSize(REQUEST_HEAD_BYTES))
        .setHttp2ConnectionWindowSize(CONNECTION_WINDOW_BYTES)
        .setHttp2RstFloodMaxRstFramePerWindow(RESETS)
        .setHttp2RstFloodWindowDuration(RESETS_SECONDS)
        .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
        .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
        .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
        .setHandle100ContinueAutomatically(false)
        .setMaxInitialLineLength(REQUEST_LINE_BYTES)
        .setMaxHeaderSize(REQUEST_HEAD_BYTES)
        .setMaxChunkSize(PIECE_BYTES)
        .setAcceptBacklog(BACKLOG)
        .setTcpKeepAlive(true);
  }

  static HttpClientOptions client() {
    return new HttpClientOptions()
        .setProtocolVersion(HttpVersion.HTTP_1_1)
        .setKeepAlive(true)
        .setKeepAliveTimeout(UPSTREAM_KEEP_ALIVE_SECONDS)
        .setPipelining(false)
        .setDecompressionSupported(false)
        .setConnectTimeout(CONNECT_MILLIS)
        .setMaxHeaderSize(ANSWER_HEAD_BYTES)
        .setMaxChunkSize(PIECE_BYTES)
        .setTcpKeepAlive(true);
  }

  static HttpClientOptions http2Client() {
    return client()
        .setProtocolVersion(HttpVersion.HTTP_2)
        .setHttp2ClearTextUpgrade(false)
        .setHttp2KeepAliveTimeout(UPSTREAM_KEEP_ALIVE_SECONDS)
        .setUseAlpn(true)
        .setInitialSettings(
            new Http2Settings().setPushEnabled(false).setMaxHeaderListSize(ANSWER_HEAD_BYTES));
  }

  static PoolOptions pool() {
    return new PoolOptions()
        .setHttp1MaxSize(CONNECTIONS_PER_TARGET)
        .setHttp2MaxSize(HTTP2_CONNECTIONS_PER_TARGET)
        .setMaxWaitQueueSize(WAITING_PER_TARGET);
  }
}
