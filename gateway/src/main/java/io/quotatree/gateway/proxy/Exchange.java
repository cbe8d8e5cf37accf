package io.quotatree.gateway.proxy;

import io.quotatree.core.engine.Decision;
import io.quotatree.gateway.proxy.Verdict.Admitted;
import io.quotatree.observe.log.LogLine;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One admitted request, from its decision to the end of its answer, whatever that end is.
 *
 * <p>Everything happens on one event loop. Both bodies pass as they come: who reads slowly slows
 * down who writes, and nothing is held but what the sockets' queues hold.
 *
 * <pre>
 *   begin ──► {@link Attempt} ──► {@link Delivery} ──► delivered    the answer is whole
 *              ▲  │   │              │
 *              └──┘   └► {@link Tunnel}   │                   both sides speak something else
 *            failed      │           │
 *     ├─────────┴────────┴───────────┴──► clientGone   nobody is left to answer
 *     └─────────┴────────┴───────────┴──► fail         a problem, or a cut connection once begun
 * </pre>
 *
 * All ends pass {@link #over()} once, and that gives the permits back. They are back before the
 * last byte of an answer is written, so that a client that has read its answer meets nothing of its
 * own. However many targets are tried, it is one request: charged once, its permits held once.
 */
final class Exchange {

  private static final long INTERNAL_ERROR = 0x2;

  /** What logs say of a client that left before its answer began: as nginx has it. */
  private static final int CLIENT_GONE = 499;

  final Loop loop;
  final Admitted admitted;
  final HttpServerRequest request;
  final HttpServerResponse response;
  final RequestBody body;
  final Patience patience;

  private final Upstream upstream;
  private @Nullable Attempt attempt;
  private @Nullable Set<Seat> tried;
  private @Nullable Tunnel tunnel;
  private boolean answering;
  private boolean over;
  private long startNanos;

  Exchange(Loop loop, Admitted admitted, HttpServerRequest request, RequestBody body) {
    this.loop = loop;
    this.admitted = admitted;
    this.request = request;
    this.response = request.response();
    this.body = body;
    this.upstream = admitted.route().upstream();
    this.patience = new Patience(loop.vigil(), () -> safely(v -> waitedTooLong()).handle(null));
  }

  /** Sets out for the upstream. */
  void begin() {
    loop.underWay().enter();
    startNanos = loop.ticker().monotonicNanos();
    safely(v -> setOut()).handle(null);
  }

  private void setOut() {
    if (response.closed()) {
      clientGone(null);
      return;
    }
    response.exceptionHandler(this::clientGone);
    response.closeHandler(this::clientGone);
    attempt(upstream.next());
  }

  private void attempt(Seat seat) {
    Attempt next = new Attempt(this, seat);
    attempt = next;
    next.begin();
  }

  boolean isOver() {
    return over;
  }

  long timeoutMillis() {
    return upstream.timeout().toMillis();
  }

  /** How long a body may stand still: that of a call that is made to stand open, longer. */
  long idleMillis(boolean standsOpen) {
    return (standsOpen ? loop.idle().stream() : loop.idle().body()).toMillis();
  }

  /** Whether the client sends or reads a stream that may be silent for long. */
  boolean standsOpen() {
    return admitted.audience().callsGrpc();
  }

  /** An attempt brought no answer: another target gets the request, if that can do no harm. */
  void failed(Attempt failed, Throwable cause) {
    if (over || failed != attempt) {
      return;
    }
    UpstreamFailure failure = UpstreamFailure.of(cause);
    upstream.failed(failed.seat(), failure, cause);
    if (!answering && failed.mayBeRepeated(failure)) {
      Seat next = nextAfter(failed);
      if (next != null) {
        failed.drop();
        body.waitAgain();
        attempt(next);
        return;
      }
    }
    fail(failure.status(), failure.detail());
  }

  private @Nullable Seat nextAfter(Attempt failed) {
    Set<Seat> seats = tried;
    if (upstream.isAlone()) {
      // A kept connection may have been closed by the other side just then: a new one may do.
      if (seats != null || !failed.wasConnected()) {
        return null;
      }
      tried = Set.of(failed.seat());
      upstream.retriedSame();
      return failed.seat();
    }
    if (seats == null) {
      seats = new HashSet<>();
      tried = seats;
    }
    seats.add(failed.seat());
    return upstream.another(seats);
  }

  /** The upstream has begun its answer. */
  void answered(Attempt from, HttpClientResponse in) {
    if (over || from != attempt) {
      return;
    }
    int status = in.statusCode();
    if (status == 101 && from.asksToUpgrade()) {
      upstream.answered(from.seat(), status);
      answering = true;
      statusKnown(status);
      Tunnel dug = new Tunnel(this, in);
      tunnel = dug;
      dug.begin();
    } else if (status < 200 || status > 999) {
      fail(502, "the upstream answered with a status that was not asked for");
    } else {
      upstream.answered(from.seat(), status);
      answering = true;
      statusKnown(status);
      refund(status);
      new Delivery(this, from, in).begin();
    }
  }

  /** What the upstream did not do is not charged, if the route says so. */
  private void refund(int status) {
    Set<Integer> refundOn = admitted.route().refundOn();
    if (!refundOn.isEmpty() && refundOn.contains(status)) {
      loop.limiter().refund(admitted.decision());
    }
  }

  boolean isAnswering() {
    return answering;
  }

  /** The answer broke off. */
  void brokeOff(Throwable cause) {
    Attempt from = attempt;
    if (over || from == null) {
      return;
    }
    UpstreamFailure failure = UpstreamFailure.of(cause);
    upstream.brokeOff(from.seat(), failure, cause);
    fail(failure.status(), failure.detail());
  }

  private void clientGone(@Nullable Object how) {
    if (!over) {
      statusKnown(CLIENT_GONE);
      over();
      dropUpstream();
      body.discard();
    }
  }

  private void waitedTooLong() {
    Attempt waitedFor = attempt;
    if (over || waitedFor == null) {
      return;
    }
    if (answering) {
      fail(504, "the upstream did not finish its answer");
    } else if (waitedFor.awaitsBody()) {
      fail(408, "the request's body did not come; send it without pauses");
    } else if (!waitedFor.wasConnected()) {
      failed(waitedFor, new TimeoutException("no connection within " + timeoutMillis() + " ms"));
    } else {
      upstream.failed(
          waitedFor.seat(),
          UpstreamFailure.of(new TimeoutException()),
          new TimeoutException("no answer within " + timeoutMillis() + " ms"));
      fail(504, "the upstream did not answer within " + timeoutMillis() + " ms");
    }
  }

  /** Ends the request without a whole answer of the upstream's. */
  void fail(int status, String detail) {
    if (over) {
      return;
    }
    statusKnown(status);
    over();
    dropUpstream();
    if (tunnel != null && tunnel.isAgreed()) {
      tunnel.cut();
    } else if (response.headWritten()) {
      body.discard();
      cut();
    } else {
      loop.answers().send(request, admitted.audience().problem(status, detail));
    }
  }

  /** Half an answer is out: only a cut connection or stream tells the client that it is not all. */
  private void cut() {
    if (request.version() == HttpVersion.HTTP_2) {
      response.reset(INTERNAL_ERROR);
    } else {
      request.connection().close();
    }
  }

  /** The decision log waits for this; what comes first counts. */
  private void statusKnown(int status) {
    LogLine line = admitted.line();
    if (line != null) {
      line.answered(status);
    }
  }

  /**
   * The request has ended; from here on nothing that happens matters to it, and its decision may be
   * another's.
   */
  void over() {
    over = true;
    loop.underWay().leave();
    Decision decision = admitted.decision();
    loop.metrics().ended(decision, loop.ticker().monotonicNanos() - startNanos);
    patience.stop();
    loop.limiter().release(decision);
    Spares home = admitted.home();
    if (home != null) {
      home.back(decision);
    }
  }

  void dropUpstream() {
    if (attempt != null) {
      attempt.drop();
    }
  }

  <T> Handler<T> safely(Handler<T> step) {
    return event -> {
      try {
        step.handle(event);
      } catch (RuntimeException e) {
        broken(e);
      }
    };
  }

  private void broken(RuntimeException mistake) {
    loop.mistakes().note("request " + admitted.requestId() + " to " + upstream.name(), mistake);
    if (over) {
      cut();
    } else {
      fail(500, "the gateway made a mistake; its log tells more under " + admitted.requestId());
    }
  }
}
