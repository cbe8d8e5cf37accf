package io.quotatree.gateway.proxy;

import io.quotatree.http.Answer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;

/**
 * Sends the gateway's own answers, and deals with what is left of a request's body once its answer
 * is sent.
 *
 * <p>A short rest is read and thrown away, so that the connection can carry the next request. A
 * long one ends the connection, but not at once: closing on a client that is still sending would
 * make its system throw away the answer that it has not read yet.
 */
public final class AnswerWriter {

  /** The longest body that is thrown away for the sake of the connection. */
  private static final long SHORT_BODY_BYTES = 64 * 1024;

  /** How much is read of a connection that is to be closed, and for how long. */
  private static final long LINGER_BYTES = 1024 * 1024;

  private static final long LINGER_MILLIS = 2_000;

  /** RFC 9113, section 8.1: no more of the request is wanted, and nothing is wrong. */
  private static final long NO_ERROR = 0;

  private final Vertx vertx;
  private final UnderWay underWay;

  /** A writer of answers. */
  public AnswerWriter(Vertx vertx, UnderWay underWay) {
    this.vertx = vertx;
    this.underWay = underWay;
  }

  /** Sends an answer, unless the client is gone; an answer that was begun is replaced. */
  public void send(HttpServerRequest request, Answer answer) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    if (request.version() == HttpVersion.HTTP_2) {
      write(request, answer, false);
      stopRest(request);
      return;
    }
    boolean linger = !restIsShort(request);
    write(request, answer, linger || underWay.ending());
    dropRest(request, linger);
  }

  /**
   * Over HTTP/2 each request is a stream of its own: the client is told to send no more of it, and
   * all others go on.
   */
  private static void stopRest(HttpServerRequest request) {
    if (!request.isEnded()) {
      request.response().reset(NO_ERROR);
    }
  }

  /** Sends the last answer of a connection over HTTP/1, and ends it. */
  public static void sendLast(HttpServerRequest request, Answer answer) {
    write(request, answer, true).onComplete(v -> request.connection().close());
  }

  private static Future<Void> write(HttpServerRequest request, Answer answer, boolean last) {
    HttpServerResponse response = request.response();
    response.headers().clear();
    response.setStatusCode(answer.status());
    answer.fields().forEach(field -> response.headers().add(field.name(), field.value()));
    Buffer body = Buffer.buffer(answer.body());
    if (answer.status() != 204) {
      response.putHeader("Content-Length", Integer.toString(body.length()));
    }
    if (last) {
      response.putHeader("Connection", "close");
    }
    // Without a body over HTTP/2 the head ends the stream: what gRPC calls trailers only.
    boolean bodyless = body.length() == 0 || request.method().equals(HttpMethod.HEAD);
    return bodyless ? response.end() : response.end(body);
  }

  /** Deals with the rest of a request whose answer was sent. */
  void dropRest(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      stopRest(request);
    } else {
      dropRest(request, !restIsShort(request));
    }
  }

  private void dropRest(HttpServerRequest request, boolean linger) {
    if (request.isEnded()) {
      if (linger) {
        request.connection().close();
      }
      return;
    }
    if (linger) {
      new Linger(request).begin();
    } else if (Body.lengthBytes(request.headers()) > 0) {
      request.handler(null);
      request.resume();
    }
  }

  /** Whether a request has no body, or one short enough to be read to its end. */
  static boolean restIsShort(HttpServerRequest request) {
    return !request.headers().contains("Transfer-Encoding")
        && !request.headers().contains("Expect")
        && Body.lengthBytes(request.headers()) <= SHORT_BODY_BYTES;
  }

  /** A connection that is read a little while longer, and then closed. */
  private final class Linger {
    private final HttpServerRequest request;
    private long readBytes;

    Linger(HttpServerRequest request) {
      this.request = request;
    }

    void begin() {
      vertx.setTimer(LINGER_MILLIS, id -> request.connection().close());
      request.exceptionHandler(t -> request.connection().close());
      request.endHandler(v -> request.connection().close());
      request.handler(
          chunk -> {
            readBytes += chunk.length();
            if (readBytes > LINGER_BYTES) {
              request.connection().close();
            }
          });
      request.resume();
    }
  }
}
