package io.quotatree.gateway.calls;

import io.quotatree.http.Answer;
import io.quotatree.http.Problem;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/** Reads one request's body whole, up to a bound of bytes and of time. Lives on its event loop. */
final class BodyReader {

  private static final long MOST_MILLIS = 10_000;

  private final Vertx vertx;
  private final HttpServerRequest request;
  private final int maxBytes;
  private final Consumer<Buffer> whole;
  private final Consumer<Answer> refused;
  private final Buffer body = Buffer.buffer();
  private long timer;
  private boolean over;

  BodyReader(
      Vertx vertx,
      HttpServerRequest request,
      int maxBytes,
      Consumer<Buffer> whole,
      Consumer<Answer> refused) {
    this.vertx = vertx;
    this.request = request;
    this.maxBytes = maxBytes;
    this.whole = whole;
    this.refused = refused;
  }

  /** Begins; exactly one of the two is called, unless the client leaves before. */
  void begin() {
    if (saidBytes() > maxBytes) {
      refused.accept(tooLong());
      return;
    }
    timer = vertx.setTimer(MOST_MILLIS, id -> refuse(Problem.of(408, "the body did not come")));
    request.exceptionHandler(gone -> end());
    request.handler(this::take);
    request.endHandler(
        v -> {
          if (end()) {
            whole.accept(body);
          }
        });
    if (request.headers().contains("Expect")) {
      request.response().writeContinue();
    }
  }

  private long saidBytes() {
    String said = request.getHeader("Content-Length");
    try {
      return said == null ? 0 : Long.parseLong(said);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }

  private void take(Buffer piece) {
    if (over) {
      return;
    }
    if (body.length() + piece.length() > maxBytes) {
      refuse(tooLong());
    } else {
      body.appendBuffer(piece);
    }
  }

  private Answer tooLong() {
    return Problem.of(413, "the body is too long; send " + maxBytes + " bytes at most");
  }

  private void refuse(Answer answer) {
    if (end()) {
      refused.accept(answer);
    }
  }

  private boolean end() {
    boolean first = !over;
    over = true;
    vertx.cancelTimer(timer);
    return first;
  }
}
