package io.quotatree.gateway.server;

import io.quotatree.gateway.proxy.AnswerWriter;
import io.quotatree.http.Problem;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Map;

/**
 * What happens to a request before its handler sees it: its connection is noted to be busy, what
 * only HTTP/2 could smuggle in is refused, and the guard is asked.
 *
 * <p>Belongs to one event loop.
 */
final class Arrivals implements Handler<HttpServerRequest> {

  private final Guard guard;
  private final AnswerWriter answers;
  private final Handler<HttpServerRequest> handler;

  Arrivals(Guard guard, AnswerWriter answers, Handler<HttpServerRequest> handler) {
    this.guard = guard;
    this.answers = answers;
    this.handler = handler;
  }

  @Override
  public void handle(HttpServerRequest request) {
    ClientConnection connection = ClientConnection.of(request.connection());
    connection.begin();
    Guard.Bound closed = guard.enter();
    request
        .response()
        .endHandler(
            v -> {
              connection.end();
              if (closed == null) {
                guard.leave();
              }
            });
    if (closed != null) {
      answers.send(request, Problem.unavailable("the gateway is at work on all it can take"));
    } else if (request.version() == HttpVersion.HTTP_2 && !fitsHttp1(request)) {
      return;
    } else {
      handler.handle(request);
    }
  }

  /** Whether a request over HTTP/2 means the same in HTTP/1; what does not is answered. */
  private boolean fitsHttp1(HttpServerRequest request) {
    String uri = request.uri();
    if (uri != null && uri.length() > HttpLimits.REQUEST_LINE_BYTES) {
      answers.send(
          request, Problem.of(414, "the path is over " + HttpLimits.REQUEST_LINE_BYTES + " bytes"));
      return false;
    }
    int fields = 0;
    for (Map.Entry<String, String> field : request.headers()) {
      fields++;
      if (!isPlain(field.getValue())) {
        answers.send(request, Problem.badRequest("a header field holds a control character"));
        return false;
      }
    }
    if (fields > HttpLimits.MAX_FIELDS) {
      answers.send(
          request,
          Problem.of(431, "the request has over " + HttpLimits.MAX_FIELDS + " header fields"));
      return false;
    }
    return true;
  }

  private static boolean isPlain(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if ((c < ' ' && c != '\t') || c == 0x7f) {
        return false;
      }
    }
    return true;
  }
}
