package io.quotatree.gateway.proxy;

import io.quotatree.gateway.proxy.Verdict.Admitted;
import io.quotatree.gateway.proxy.Verdict.TurnedAway;
import io.quotatree.http.Answer;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
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

  ProxyHandler(Exchange.Loop loop, Admission admission, Supplier<Serving> serving) {
    this.loop = loop;
    this.admission = admission;
    this.serving = serving;
  }

  @Override
  public void handle(HttpServerRequest request) {
    try {
      Body body = Body.of(request);
      if (body != Body.NONE) {
        // Held back until somebody takes it: what comes before is lost.
        request.pause();
      }
      Verdict verdict = admission.judge(request, serving.get());
      if (verdict instanceof Admitted admitted) {
        new Exchange(loop, admitted, request, body).begin();
      } else if (verdict instanceof TurnedAway turnedAway) {
        send(request, turnedAway.answer());
      }
    } catch (IllegalArgumentException e) {
      ...
    }
  }
}
