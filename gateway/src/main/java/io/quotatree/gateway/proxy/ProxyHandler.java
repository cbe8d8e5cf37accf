package io.quotatree.gateway.proxy;

import io.quotatree.core.engine.Limiter;
import io.quotatree.core.policy.BadPathException;
import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.proxy.Verdict.Admitted;
import io.quotatree.gateway.proxy.Verdict.TurnedAway;
import io.quotatree.gateway.proxy.Verdict.Undecided;
import io.quotatree.http.BadIdentityException;
import io.quotatree.observe.Metrics;
import io.quotatree.observe.log.DecisionLog;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The gateway's door: each request is judged, and either answered or taken upstream.
 *
 * <p>Belongs to one event loop and blocks it nowhere.
 */
public final class ProxyHandler implements Handler<HttpServerRequest> {

  private final Loop loop;
  private final Admission admission;
  private final Supplier<Serving> serving;

  /**
   * What a proxy works with, the same on all event loops.
   *
   * @param serving what is served by now; asked once a request
   * @param limiter decides
   * @param ticker the wall clock that resets are told by
   * @param metrics counts decisions
   * @param decisions writes decisions down
   * @param underWay counts requests
   * @param idle how long nothing may move
   */
  public record Parts(
      Supplier<Serving> serving,
      Limiter limiter,
      Ticker ticker,
      Metrics metrics,
      DecisionLog decisions,
      UnderWay underWay,
      Idle idle) {}

  /** A handler for one event loop, with clients that live on it. */
  public ProxyHandler(Parts parts, Vertx vertx, UpstreamClients clients) {
    this.serving = parts.serving();
    this.admission = new Admission(parts, vertx.getOrCreateContext());
    this.loop =
        new Loop(
            vertx,
            new Vigil(vertx),
            clients,
            new AnswerWriter(vertx, parts.underWay()),
            parts.limiter(),
            parts.underWay(),
            parts.idle(),
            parts.metrics(),
            parts.ticker(),
            new Mistakes(parts.ticker()));
  }

  @Override
  public void handle(HttpServerRequest request) {
    try {
      Body body = Body.of(request);
      if (body == Body.UNTOLD) {
        onceToldOf(request, told -> judge(request, told));
        return;
      }
      if (body != Body.NONE) {
        // Held back until somebody takes it: what comes before would be lost.
        request.pause();
      }
      judge(request, new RequestBody(request, body));
    } catch (BadRequestException e) {
      refuse(request, e);
    }
  }

  /**
   * Finds out whether a request over HTTP/2 has a body: if there is none, its end comes along with
   * its head, and so before anything that is put off until later.
   */
  private void onceToldOf(HttpServerRequest request, Consumer<RequestBody> then) {
    RequestBody body = new RequestBody(request, Body.CHUNKED);
    request.handler(body::hold);
    loop.vertx()
        .runOnContext(
            v -> {
              if (request.isEnded() && !body.holds()) {
                then.accept(new RequestBody(request, Body.NONE));
              } else {
                body.pause();
                then.accept(body);
              }
            });
  }

  private void judge(HttpServerRequest request, RequestBody body) {
    Audience audience = Audience.of(request);
    try {
      act(request, body, admission.judge(request, serving.get(), audience));
    } catch (BadRequestException | BadPathException | BadIdentityException e) {
      refuse(request, e);
    } catch (RuntimeException e) {
      broken(request, audience, e);
    }
  }

  private void act(HttpServerRequest request, RequestBody body, Verdict verdict) {
    if (verdict instanceof Admitted admitted) {
      new Exchange(loop, admitted, request, body).begin();
    } else if (verdict instanceof TurnedAway turnedAway) {
      loop.answers().send(request, turnedAway.answer());
    } else if (verdict instanceof Undecided undecided) {
      loop.underWay().enter();
      undecided.answered().then(() -> actOnceDecided(request, body, undecided));
    }
  }

  private void actOnceDecided(HttpServerRequest request, RequestBody body, Undecided undecided) {
    loop.underWay().leave();
    try {
      act(request, body, undecided.decided().get());
    } catch (RuntimeException e) {
      broken(request, Audience.of(request), e);
    }
  }

  private void broken(HttpServerRequest request, Audience audience, RuntimeException mistake) {
    loop.mistakes().note("judging a request", mistake);
    loop.answers().send(request, audience.problem(500, "the gateway made a mistake; see its log"));
  }

  private void refuse(HttpServerRequest request, RuntimeException why) {
    loop.answers()
        .send(request, Audience.of(request).problem(400, String.valueOf(why.getMessage())));
  }
}
