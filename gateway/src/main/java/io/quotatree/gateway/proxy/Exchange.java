package io.quotatree.gateway.proxy;

import io.quotatree.core.engine.Limiter;
import io.quotatree.gateway.proxy.Verdict.Admitted;
import io.quotatree.http.Problem;
import io.quotatree.http.QuotaReplies;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One admitted request, from its decision to the end of its answer, whatever that end is.
 *
 * <p>Everything happens on one event loop. Both bodies pass as they come: who reads slowly slows
 * down who writes, and nothing is held but what the sockets' queues hold.
 *
 * <pre>
 *   begin ──► connected ──► answered ──► ended          the answer is whole
 *     │           │            │
 *     ├───────────┴────────────┴──────► clientGone      nobody is left to answer
 *     └───────────┴────────────┴──────► fail            a problem, or a cut connection once begun
 * </pre>
 *
 * All three ends pass {@link #over()} once, and that gives the permits back. They are back before
 * the last byte of an answer is written, so that a client that has read its answer meets nothing of
 * its own.
 */
final class Exchange {

  private static final Logger log = LoggerFactory.getLogger(Exchange.class);

  private static final long UNKNOWN_LENGTH = -1;

  private final Loop loop;
  private final Admitted admitted;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Body body;
  private final Target target;
  private final Patience patience;
  private final long timeoutMillis;

  private @Nullable HttpClientRequest up;
  private @Nullable HttpClientResponse down;
  private boolean headSent;
  private boolean bodySent;
  private boolean answering;
  private long answerLeftBytes = UNKNOWN_LENGTH;
  private boolean endsByClosing;
  private boolean released;
  private boolean over;

  /** What all exchanges of one event loop share. */
  record Loop(
      Vertx vertx,
      HttpClient client,
      AnswerWriter answers,
      Limiter limiter,
      UnderWay underWay,
      long idleMillis) {}

  Exchange(Loop loop, Admitted admitted, HttpServerRequest request, Body body) {
    this.loop = loop;
    this.admitted = admitted;
    this.request = request;
    this.response = request.response();
    this.body = body;
    this.target = admitted.upstream().next();
    this.timeoutMillis = admitted.upstream().timeout().toMillis();
    this.patience = new Patience(loop.vertx(), () -> safely(v -> waitedTooLong()).handle(null));
  }

  /** Sets out for the upstream. */
  void begin() {
    loop.underWay().enter();
    safely(v -> connect()).handle(null);
  }

  private void connect() {
    response.exceptionHandler(this::clientGone);
    response.closeHandler(this::clientGone);
    patience.expectWithin(timeoutMillis);
    RequestOptions options =
        new RequestOptions()
            .setMethod(request.method())
            .setHost(target.host())
            .setPort(target.port())
            .setSsl(target.transport() == Target.Transport.TLS)
            .setURI(admitted.uri())
            .setConnectTimeout(timeoutMillis);
    loop.client().request(options).onComplete(safely(this::connected));
  }

  private void connected(AsyncResult<HttpClientRequest> result) {
    if (over) {
      if (result.succeeded()) {
        result.result().reset();
      }
      return;
    }
    if (result.failed()) {
      upstreamFailed(result.cause());
      return;
    }
    HttpClientRequest out = result.result();
    up = out;
    out.exceptionHandler(safely(this::upstreamFailed));
    out.response().onComplete(safely(this::answered));
    ForwardedFields.copy(admitted, request, target, out.headers());
    if (body == Body.NONE) {
      headSent = true;
      bodySent = true;
      out.end();
      patience.progress();
      return;
    }
    out.setChunked(body == Body.CHUNKED);
    if (continueExpected()) {
      // Not left to the upstream: many never say it, and then the client waits for nothing.
      response.writeContinue();
    }
    request.handler(safely(chunk -> send(out, chunk)));
    request.endHandler(safely(v -> sent(out)));
    patience.expectWithin(loop.idleMillis());
    request.resume();
    // Whatever of the body was there already went out with the head; else the head goes alone.
    if (!headSent && !over) {
      headSent = true;
      out.sendHead();
    }
  }

  private boolean continueExpected() {
    return request.version() == HttpVersion.HTTP_1_1 && request.headers().contains("Expect");
  }

  private void send(HttpClientRequest out, Buffer chunk) {
    if (over) {
      return;
    }
    headSent = true;
    out.write(chunk);
    if (out.writeQueueFull()) {
      request.pause();
      expectOfUpload(timeoutMillis);
      out.drainHandler(
          safely(
              v -> {
                if (!over) {
                  expectOfUpload(loop.idleMillis());
                  request.resume();
                }
              }));
    } else {
      patience.progress();
    }
  }

  private void expectOfUpload(long millis) {
    patience.expectWithin(answering ? loop.idleMillis() : millis);
  }

  private void sent(HttpClientRequest out) {
    if (over) {
      return;
    }
    headSent = true;
    bodySent = true;
    out.end();
    expectOfUpload(timeoutMillis);
  }

  private void answered(AsyncResult<HttpClientResponse> result) {
    if (over) {
      return;
    }
    if (result.failed()) {
      upstreamFailed(result.cause());
      return;
    }
    HttpClientResponse in = result.result();
    down = in;
    in.exceptionHandler(safely(this::upstreamFailed));
    if (in.statusCode() < 200 || in.statusCode() > 999) {
      fail(502, "the upstream answered with a status that was not asked for");
      return;
    }
    answering = true;
    in.handler(safely(chunk -> pass(in, chunk)));
    in.endHandler(safely(v -> ended()));
    patience.expectWithin(loop.idleMillis());
    copyHead(in);
    if (framed()) {
      // An answer may begin long before its first byte of body. Most do not: their head goes with
      // it.
      loop.vertx().runOnContext(safely(v -> flushHead()));
    }
  }

  private void copyHead(HttpClientResponse in) {
    MultiMap out = response.headers();
    HopByHop hopByHop = HopByHop.of(in.headers());
    boolean ours = !admitted.fields().isEmpty();
    for (Map.Entry<String, String> field : in.headers()) {
      String lower = field.getKey().toLowerCase(Locale.ROOT);
      if (!hopByHop.covers(lower) && !(ours && QuotaReplies.displaces(lower))) {
        out.add(field.getKey(), field.getValue());
      }
    }
    admitted.fields().forEach(field -> out.set(field.name(), field.value()));
    response.setStatusCode(in.statusCode());
    if (bodyFollows(in.statusCode())) {
      frame(in.headers());
    }
    boolean lingers = !bodySent && !AnswerWriter.restIsShort(request);
    if (lingers || loop.underWay().ending()) {
      out.set("Connection", "close");
    }
  }

  private void frame(MultiMap head) {
    if (head.contains("Content-Length")) {
      answerLeftBytes = Body.lengthBytes(head);
    } else if (request.version() == HttpVersion.HTTP_1_0) {
      endsByClosing = true;
      response.headersEndHandler(v -> response.headers().set("Connection", "close"));
    } else {
      response.setChunked(true);
    }
  }

  private boolean bodyFollows(int status) {
    return !request.method().name().equals("HEAD") && status != 204 && status != 304;
  }

  private boolean framed() {
    return answerLeftBytes > 0 || response.isChunked();
  }

  private void flushHead() {
    if (!over && !response.headWritten()) {
      response.writeHead();
    }
  }

  private void pass(HttpClientResponse in, Buffer chunk) {
    if (over) {
      return;
    }
    patience.progress();
    if (answerLeftBytes != UNKNOWN_LENGTH) {
      answerLeftBytes -= chunk.length();
      if (answerLeftBytes <= 0) {
        release();
      }
    }
    response.write(chunk);
    if (response.writeQueueFull()) {
      in.pause();
      response.drainHandler(
          safely(
              v -> {
                patience.progress();
                in.resume();
              }));
    }
  }

  private void ended() {
    if (over) {
      return;
    }
    over();
    Future<Void> written = response.end();
    if (endsByClosing) {
      written.onComplete(v -> request.connection().close());
    }
    if (!bodySent) {
      dropUpstream();
      loop.answers().dropRest(request);
    }
  }

  private void clientGone(@Nullable Object how) {
    if (!over) {
      over();
      dropUpstream();
      takeRest();
    }
  }

  private void waitedTooLong() {
    if (answering) {
      fail(504, "the upstream did not finish its answer");
    } else if (up != null && body != Body.NONE && !bodySent && !up.writeQueueFull()) {
      fail(408, "the request's body did not come; send it without pauses");
    } else {
      fail(504, "the upstream did not answer within " + timeoutMillis + " ms");
    }
  }

  private void upstreamFailed(Throwable cause) {
    if (over) {
      return;
    }
    UpstreamFailure failure = UpstreamFailure.of(cause);
    admitted.upstream().report(target, cause);
    fail(failure.status(), failure.detail());
  }

  private void fail(int status, String detail) {
    if (over) {
      return;
    }
    over();
    dropUpstream();
    if (response.headWritten()) {
      takeRest();
      // Half an answer is out: only a cut connection tells the client that it is not whole.
      request.connection().close();
    } else {
      loop.answers().send(request, Problem.of(status, detail));
    }
  }

  private void over() {
    over = true;
    loop.underWay().leave();
    patience.stop();
    release();
  }

  private void release() {
    if (!released) {
      released = true;
      loop.limiter().release(admitted.decision());
    }
  }

  /** Leaves the upstream: a connection that carries half a request is of no use to others. */
  private void dropUpstream() {
    HttpClientRequest out = up;
    if (out == null) {
      return;
    }
    out.reset();
    if (down != null) {
      down.resume();
    }
    if (headSent) {
      out.connection().close();
    }
  }

  /**
   * What a paused connection has read already is kept by nobody but it, and lost unless it is
   * taken.
   */
  private void takeRest() {
    if (body != Body.NONE) {
      request.resume();
    }
  }

  private <T> Handler<T> safely(Handler<T> step) {
    return event -> {
      try {
        step.handle(event);
      } catch (RuntimeException e) {
        broken(e);
      }
    };
  }

  private void broken(RuntimeException mistake) {
    log.error("request {} to {}: a mistake in the gateway", admitted.requestId(), target, mistake);
    if (over) {
      request.connection().close();
    } else {
      fail(500, "the gateway made a mistake; its log tells more under " + admitted.requestId());
    }
  }
}
