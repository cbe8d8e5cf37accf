package io.quotatree.gateway.server;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.quotatree.gateway.proxy.AnswerWriter;
import io.quotatree.http.Answer;
import io.quotatree.http.Problem;
import io.vertx.core.http.HttpServerRequest;

/** Answers what could not be read as a request, and ends its connection. */
final class Unreadable {

  private Unreadable() {}

  static void refuse(HttpServerRequest request) {
    AnswerWriter.sendLast(request, answer(request.decoderResult().cause()));
  }

  private static Answer answer(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return Problem.of(
          414, "the request line is over " + HttpLimits.REQUEST_LINE_BYTES + " bytes");
    }
    if (cause instanceof TooLongHttpHeaderException) {
      return Problem.of(
          431,
          "the request's header is over "
              + HttpLimits.REQUEST_HEAD_BYTES
              + " bytes or "
              + HttpLimits.MAX_FIELDS
              + " fields");
    }
    if (cause instanceof StrictDecoder.UnknownVersionException) {
      return Problem.of(505, "HTTP/1.0, HTTP/1.1 and HTTP/2 are spoken here");
    }
    return Problem.badRequest("this is no HTTP/1.1 request, or it could be read in two ways");
  }
}
