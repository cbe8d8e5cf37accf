package io.quotatree.gateway.admin;

import io.quotatree.gateway.proxy.AnswerWriter;
import io.quotatree.gateway.proxy.UnderWay;
import io.quotatree.http.Answer;
import io.quotatree.http.HeaderField;
import io.quotatree.http.Problem;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers on the admin address: {@code /healthz}, {@code /readyz} and {@code /metrics}.
 *
 * <p>Lives on one event loop; the metrics page, which takes as long as there are series, is written
 * elsewhere.
 */
public final class AdminHandler implements Handler<HttpServerRequest> {

  private static final Logger log = LoggerFactory.getLogger(AdminHandler.class);

  private final Vertx vertx;
  private final Parts parts;
  private final LoopbackGuard guard;
  private final AnswerWriter answers;

  /**
   * What the admin address shows.
   *
   * @param readiness asked at each request
   * @param metricsType what the metrics page is served as
   * @param metricsPage writes the metrics page; may take a while
   */
  public record Parts(
      Supplier<Readiness> readiness, String metricsType, Supplier<String> metricsPage) {}

  /**
   * A handler.
   *
   * @param configuredHost the name that the address was configured by
   */
  public AdminHandler(Vertx vertx, Parts parts, String configuredHost) {
    this.vertx = vertx;
    this.parts = parts;
    this.guard = new LoopbackGuard(configuredHost);
    this.answers = new AnswerWriter(vertx, new UnderWay());
  }

  @Override
  public void handle(HttpServerRequest request) {
    if (!guard.admits(request)) {
      answers.send(
          request,
          Problem.of(403, "Host and Origin may only be a loopback name or the configured one"));
      return;
    }
    String path = request.path();
    if (path == null || !List.of("/healthz", "/readyz", "/metrics").contains(path)) {
      answers.send(request, Problem.of(404, "here are /healthz, /readyz and /metrics"));
    } else if (!List.of("GET", "HEAD").contains(request.method().name())) {
      answers.send(
          request,
          Problem.of(405, path + " can only be read", new HeaderField("Allow", "GET, HEAD")));
    } else {
      answer(request, path);
    }
  }

  private void answer(HttpServerRequest request, String path) {
    switch (path) {
      case "/healthz" -> answers.send(request, json(200, new JsonObject().put("status", "alive")));
      case "/readyz" -> answers.send(request, readyz());
      default -> metrics(request);
    }
  }

  private Answer readyz() {
    Readiness now = parts.readiness().get();
    JsonObject body =
        new JsonObject()
            .put("status", now.ready() ? "ready" : "no quotas yet")
            .put("revision", now.revision())
            .put("loaded_at", now.loadedAt().toString())
            .put("store", new JsonObject().put("state", now.store()));
    return json(now.ready() ? 200 : 503, body);
  }

  private void metrics(HttpServerRequest request) {
    vertx
        .executeBlocking(() -> parts.metricsPage().get(), false)
        .onSuccess(
            page ->
                answers.send(
                    request,
                    new Answer(
                        200, List.of(new HeaderField("Content-Type", parts.metricsType())), page)))
        .onFailure(
            mistake -> {
              log.error("the metrics page", mistake);
              answers.send(request, Problem.of(500, "the page could not be written; see the log"));
            });
  }

  private static Answer json(int status, JsonObject body) {
    return new Answer(
        status, List.of(new HeaderField("Content-Type", "application/json")), body.encode());
  }
}
