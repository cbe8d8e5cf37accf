package io.quotatree.gateway.server;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.util.AttributeKey;
import io.quotatree.core.time.Ticker;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a listener knows of one client's connection: whether requests are under way on it, and since
 * when not.
 *
 * <p>It stands before everything else, TLS included, so it also sees who connects and says nothing,
 * or says it drop by drop: the server itself knows a connection in the clear only from its first
 * whole head on. Belongs to the connection's event loop.
 */
final class ClientConnection extends ChannelDuplexHandler {

  static final Ticker CLOCK = Ticker.system();

  private static final AttributeKey<ClientConnection> KEY =
      AttributeKey.valueOf("quotatree.client.connection");

  private static final long NO_ERROR = 0;

  private final ClientConnections all;
  private @Nullable ChannelHandlerContext context;
  private @Nullable HttpConnection http;

  /** Requests that were handed on and whose answers are not whole; several over HTTP/2 alone. */
  private int underWay;

  /** Requests that were read, of which the last may still wait for its turn. */
  private int readRequests;

  private int handedOn;
  private boolean headBegun;
  private boolean answerBegun;

  /** Since when no request is under way, or since when the next one's head is on its way. */
  private long sinceNanos = CLOCK.monotonicNanos();

  ClientConnection(ClientConnections all) {
    this.all = all;
  }

  /** The one that a request or a server's connection came by. */
  static ClientConnection of(HttpConnection connection) {
    return Objects.requireNonNull(
        ((ConnectionBase) connection).channel().attr(KEY).get(), "a connection of a listener");
  }

  /** The one of a handler's channel. */
  static ClientConnection of(ChannelHandlerContext context) {
    return Objects.requireNonNull(context.channel().attr(KEY).get(), "a connection of a listener");
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    added.channel().attr(KEY).set(this);
    all.opened(this, added.channel().eventLoop());
    var unused =
        added
            .channel()
            .closeFuture()
            .addListener(closed -> all.closed(this, added.channel().eventLoop()));
  }

  @Override
  public void channelRead(ChannelHandlerContext from, Object message) {
    if (underWay == 0 && !headBegun) {
      headBegun = true;
      sinceNanos = CLOCK.monotonicNanos();
    }
    from.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext from, Object message, ChannelPromise promise) {
    answerBegun = true;
    var unused = from.write(message, promise);
  }

  /** The server has taken the connection for HTTP of some version. */
  void taken(HttpConnection connection) {
    http = connection;
    all.taken(this);
  }

  /** Tells the client that it should bring nothing more, where its protocol has words for that. */
  void tellOfEnd() {
    ChannelHandlerContext at = context;
    HttpConnection told = http;
    if (at != null && told != null && at.pipeline().get(Http2ConnectionHandler.class) != null) {
      // No stream is refused by this one: those on their way are still served.
      told.goAway(NO_ERROR, Integer.MAX_VALUE);
    }
  }

  /** A request's head was read. */
  void read() {
    readRequests++;
  }

  /** A request is handed on. */
  void begin() {
    handedOn++;
    underWay++;
    headBegun = false;
    answerBegun = false;
  }

  /** A request's answer is whole, or will never be. */
  void end() {
    underWay--;
    if (underWay == 0) {
      sinceNanos = CLOCK.monotonicNanos();
    }
  }

  /** Whether the request that was read last is being dealt with, and nothing answers it yet. */
  boolean awaitsAnswer() {
    return underWay == 1 && handedOn == readRequests && !answerBegun;
  }

  /** Whether nothing of a request has ever come by it. */
  boolean isSilent() {
    return handedOn == 0 && !headBegun;
  }

  /** Whether it has been without a request, or with a part of one, for too long. */
  boolean isStale(long nowNanos, Settings.Patience patience) {
    Duration limit = headBegun ? patience.head() : patience.idle();
    return underWay == 0 && nowNanos - sinceNanos > limit.toNanos();
  }

  /** Ends it, by way of all who have something to say at its end. */
  void close() {
    ChannelHandlerContext at = context;
    if (at != null) {
      var unused = at.channel().close();
    }
  }
}
