package io.quotatree.gateway.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.quotatree.http.Problem;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests as the server's own decoder does, and refuses what that one puts up with though
 * others read it in another way: two lengths, lines that are folded, a request line that is taken
 * apart by anything but single spaces, versions that nobody speaks, more fields than any client
 * needs.
 *
 * <p>Each head is looked at line by line before it is decoded; lines that are whole are decoded at
 * once, so none is looked at twice. What is refused becomes a request that could not be decoded,
 * and nothing after it is read.
 */
final class StrictDecoder extends VertxHttpRequestDecoder {

  private static final byte[] BAD_BODY_ANSWER =
      RawAnswer.of("400 Bad Request", Problem.badRequest("the chunks of the body are malformed"));

  private static final String H2C = "h2c";

  private boolean inHead = true;
  private boolean refused;

  /** Lines of the head so far, the request line among them. */
  private int lines;

  StrictDecoder(HttpServerOptions options) {
    super(options);
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf bytes, List<Object> out)
      throws Exception {
    if (refused) {
      bytes.skipBytes(bytes.readableBytes());
      return;
    }
    Exception mistake = inHead ? mistakeIn(bytes) : null;
    if (mistake != null) {
      refuse(context, bytes, mistake, out);
      return;
    }
    int before = out.size();
    super.decode(context, bytes, out);
    for (int i = before; i < out.size(); i++) {
      decoded(context, (HttpObject) out.get(i));
    }
  }

  private void decoded(ChannelHandlerContext context, HttpObject part) {
    if (part instanceof HttpMessage) {
      inHead = false;
      lines = 0;
      ClientConnection.of(context).read();
    }
    if (part instanceof HttpRequest request) {
      stayWithHttp1(request);
    }
    if (part instanceof LastHttpContent) {
      inHead = true;
    }
    if (part.decoderResult().isFailure()) {
      refused = true;
      if (!(part instanceof HttpMessage)) {
        answerBadBody(context);
      }
    }
  }

  /**
   * Takes no offer to go on in HTTP/2 (RFC 9113 has dropped it, and the server would lose bodies of
   * such requests): a client that wants it in the clear just speaks it.
   */
  private static void stayWithHttp1(HttpRequest request) {
    if (request.headers().contains(HttpHeaderNames.UPGRADE)
        && request.headers().getAll(HttpHeaderNames.UPGRADE).stream()
            .anyMatch(offer -> offer.toLowerCase(Locale.ROOT).contains(H2C))) {
      request.headers().remove(HttpHeaderNames.UPGRADE);
    }
  }

  /** A body cannot be handed on as refused, so the answer is given here, where none has begun. */
  private static void answerBadBody(ChannelHandlerContext context) {
    if (ClientConnection.of(context).awaitsAnswer()) {
      var unused = context.writeAndFlush(Unpooled.wrappedBuffer(BAD_BODY_ANSWER));
    }
  }

  private void refuse(
      ChannelHandlerContext context, ByteBuf bytes, Exception mistake, List<Object> out) {
    bytes.skipBytes(bytes.readableBytes());
    HttpMessage nothing = createInvalidMessage();
    nothing.setDecoderResult(DecoderResult.failure(mistake));
    out.add(nothing);
    decoded(context, nothing);
  }

  /** Looks at the lines of a head that are whole; null if there is nothing wrong with them. */
  private @Nullable Exception mistakeIn(ByteBuf bytes) {
    int at = bytes.readerIndex();
    int end = bytes.writerIndex();
    while (at < end) {
      byte first = bytes.getByte(at);
      if (first == '\r' || first == '\n') {
        if (lines > 0) {
          return null;
        }
      } else if (!mayBegin(first)) {
        return new IllegalArgumentException("a line that begins with a space, or without a name");
      }
      int lineEnd = bytes.indexOf(at, end, (byte) '\n');
      if (lineEnd < 0) {
        return null;
      }
      if (first != '\r' && first != '\n') {
        lines++;
        if (lines == 1 && !isRequestLine(bytes, at, lineEnd)) {
          return new IllegalArgumentException("no request line");
        }
        if (lines > HttpLimits.MAX_FIELDS + 1) {
          return new TooLongHttpHeaderException("over " + HttpLimits.MAX_FIELDS + " fields");
        }
      }
      at = lineEnd + 1;
    }
    return null;
  }

  /**
   * Before a request anything below a space would be skipped, and so would a field's lack of name.
   */
  private boolean mayBegin(byte first) {
    return lines > 0 ? first != ' ' && first != '\t' && first != ':' : first > ' ';
  }

  /** Three words with one space between each, and nothing else that could part words. */
  private static boolean isRequestLine(ByteBuf bytes, int start, int lineEnd) {
    int end = lineEnd > start && bytes.getByte(lineEnd - 1) == '\r' ? lineEnd - 1 : lineEnd;
    int spaces = 0;
    for (int i = start; i < end; i++) {
      byte c = bytes.getByte(i);
      if (c == ' ') {
        spaces++;
        if (i == start || i == end - 1 || bytes.getByte(i - 1) == ' ') {
          return false;
        }
      } else if ((c >= 0 && c < ' ') || c == 0x7f) {
        return false;
      }
    }
    return spaces == 2;
  }

  @Override
  protected HttpMessage createMessage(String[] initialLine) {
    String version = initialLine[2];
    if (!version.equals("HTTP/1.1") && !version.equals("HTTP/1.0")) {
      throw new UnknownVersionException(version);
    }
    return super.createMessage(initialLine);
  }

  @Override
  protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
    throw new IllegalArgumentException("both Transfer-Encoding and Content-Length");
  }

  /** A request of a version that is not spoken here. */
  static final class UnknownVersionException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    UnknownVersionException(String version) {
      super("version " + version);
    }
  }
}
