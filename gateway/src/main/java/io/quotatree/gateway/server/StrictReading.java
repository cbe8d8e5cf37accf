package io.quotatree.gateway.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerOptions;

/**
 * Puts {@link StrictDecoder} in the place of the server's own decoder, once the server has made up
 * its mind between HTTP/1 and HTTP/2, and then leaves the channel.
 *
 * <p>Over TLS the handshake has settled that before the first byte comes here. In the clear the
 * first bytes settle it, and they may come one by one: they are held back until it is plain whether
 * they are HTTP/2's preface.
 */
final class StrictReading extends ChannelInboundHandlerAdapter {

  private static final String DECODER = "httpDecoder";

  /** What no HTTP/2 preface begins with, and what HTTP/1 allows before a request: a line's end. */
  private static final byte[] LINE_END = {'\r', '\n'};

  private final HttpServerOptions options;
  private ByteBuf held = Unpooled.EMPTY_BUFFER;

  StrictReading(HttpServerOptions options) {
    this.options = options;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
      return;
    }
    held = held.isReadable() ? Unpooled.wrappedBuffer(held, bytes) : bytes;
    if (!installed(context) && !isHttp1(context)) {
      return;
    }
    ByteBuf all = held;
    held = Unpooled.EMPTY_BUFFER;
    context.fireChannelRead(all);
    context.pipeline().remove(this);
  }

  /** Whether the bytes that were held may go on as those of HTTP/1 or HTTP/2. */
  private boolean isHttp1(ChannelHandlerContext context) {
    ByteBuf preface = Http2CodecUtil.connectionPrefaceBuf();
    try {
      int compared = Math.min(held.readableBytes(), preface.readableBytes());
      if (ByteBufUtil.equals(held, held.readerIndex(), preface, 0, compared)) {
        return compared == preface.readableBytes();
      }
    } finally {
      preface.release();
    }
    context.fireChannelRead(Unpooled.wrappedBuffer(LINE_END));
    return installed(context);
  }

  private boolean installed(ChannelHandlerContext context) {
    ChannelHandler lenient = context.pipeline().get(DECODER);
    if (lenient != null) {
      context.pipeline().replace(lenient, DECODER, new StrictDecoder(options));
    }
    return lenient != null;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    ReferenceCountUtil.release(held);
  }
}
