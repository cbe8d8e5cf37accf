package io.quotatree.gateway.proxy;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.policy.BadPathException;
import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.proxy.Verdict.Admitted;
import io.quotatree.gateway.proxy.Verdict.TurnedAway;
import io.quotatree.http.BadIdentityException;
import io.quotatree.http.Problem;
import io.quotatree.observe.Metrics;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway's door: each request is judged, and either answered or taken upstream.
 *
 * <p>Belongs to one event loop and blocks it nowhere.
 */
public final class ProxyHandler implements Handler<HttpServerRequest> {

  private static final Logger log = LoggerFactory.getLogger(ProxyHandler.class);

  private final Exchange.Loop loop;
  private final Admission admission;
  private final Supplier<Serving> serving;

  /**
   * What a proxy works with, the same on all event loops.
   *
   * @param serving what is served by now; asked once a request
   * @param limiter decides
   * @param ticker the wall clock that resets are told by
   * @param metrics counts decisions
   * @param underWay counts requests
   * @param idle how long a body may stand still, either way
   */
  public record Parts(
      Supplier<Serving> serving,
      Limiter limiter,
      Ticker ticker,
      Metrics metrics,
      UnderWay underWay,
      Duration idle) {}

  /** A handler for one event loop, with a client that lives on it. */
  public ProxyHandler(Parts parts, Vertx vertx, HttpClient client) {
    this.serving = parts.serving();
    this.admission = new Admission(parts.limiter(), parts.ticker(), parts.metrics());
    this.loop =
        new Exchange.Loop(
            vertx,
            client,
            new AnswerWriter(vertx, parts.underWay()),
            parts.limiter(),
            parts.underWay(),
            parts.idle().toMillis());
  }

  @Override
  public void handle(HttpServerRequest request) {
    try {
      Body body = Body.of(request);
      if (body != Body.NONE) {
        // Held back until somebody takes it: what comes before would be lost.
        request.pause();
      }
      Verdict verdict = admission.judge(request, serving.get());
      if (verdict instanceof Admitted admitted) {
        new Exchange(loop, admitted, request, body).begin();
      } else if (verdict instanceof TurnedAway turnedAway) {
        loop.answers().send(request, turnedAway.answer());
      }
    } catch (BadRequestException | BadPathException | BadIdentityException e) {
      loop.answers().send(request, Problem.badRequest(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      log.error("{} {}: a mistake in the gateway", request.method(), request.uri(), e);
      loop.answers().send(request, Problem.of(500, "the gateway made a mistake; see its log"));
    }
  }

  /** Answers what the server could not read as a request, and ends its connection. */
  public static void refuseUnreadable(HttpServerRequest request) {
    Throwable cause = request.decoderResult().cause();
    if (cause instanceof TooLongHttpLineException) {
      AnswerWriter.sendLast(request, Problem.of(414, "the request line is too long"));
    } else if (cause instanceof TooLongHttpHeaderException) {
      AnswerWriter.sendLast(request, Problem.of(431, "the request's header is too long"));
    } else {
      AnswerWriter.sendLast(request, Problem.badRequest("this is no HTTP/1.1 request"));
    }
  }
}
