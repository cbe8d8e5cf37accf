package io.quotatree.gateway.admin;

import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.calls.Call;
import io.quotatree.gateway.calls.CallTable;
import io.quotatree.gateway.calls.FailedTries;
import io.quotatree.gateway.proxy.AnswerWriter;
import io.quotatree.gateway.proxy.UnderWay;
import io.quotatree.http.Answer;
import io.quotatree.http.HeaderField;
import io.quotatree.http.Problem;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Answers on the admin address: health, metrics, and the calls that others put there.
 *
 * <p>A request passes three gates: its Host and Origin are ours; it has the token, where one is
 * asked for, unless it asks for health; its call is in the table. Whoever has no token learns
 * nothing of the table. Lives on one event loop.
 */
public final class AdminHandler implements Handler<HttpServerRequest> {

  /** What probes ask, which have no token. */
  private static final Set<String> FREE = Set.of("/healthz", "/readyz");

  private final Optional<BearerToken> token;
  private final HostGuard guard;
  private final AnswerWriter answers;
  private final CallTable table;
  private final FailedTries failedTries = new FailedTries(Ticker.system(), "admin address");

  /**
   * What the admin address shows, and to whom.
   *
   * @param readiness asked at each request
   * @param metricsType what the metrics page is served as
   * @param metricsPage writes the metrics page; may take a while
   * @param door who may come in
   * @param calls what else is answered here
   */
  public record Parts(
      Supplier<Readiness> readiness,
      String metricsType,
      Supplier<String> metricsPage,
      Door door,
      List<Call> calls) {

    /** Copies the list. */
    public Parts {
      calls = List.copyOf(calls);
    }
  }

  /**
   * Who may come in.
   *
   * @param nodeId the gateway's own name, which Host may be
   * @param token what they must present; empty where the address is on the loopback and nothing is
   *     asked
   */
  public record Door(String nodeId, Optional<BearerToken> token) {}

  /**
   * A handler.
   *
   * @param configuredHost the name that the address was configured by
   */
  public AdminHandler(Vertx vertx, Parts parts, String configuredHost) {
    this.token = parts.door().token();
    this.guard = new HostGuard(configuredHost, parts.door().nodeId());
    this.answers = new AnswerWriter(vertx, new UnderWay());
    List<Call> calls = new ArrayList<>();
    calls.add(Call.get("/healthz", asked -> alive()));
    calls.add(Call.get("/readyz", asked -> ready(parts.readiness().get())));
    calls.add(Call.get("/metrics", asked -> metrics(parts)).onWorker());
    calls.addAll(parts.calls());
    this.table = new CallTable(vertx, answers, calls);
  }

  @Override
  public void handle(HttpServerRequest request) {
    if (!guard.admits(request)) {
      answers.send(
          request,
          Problem.of(403, "Host and Origin may only be a loopback name or the configured one"));
      return;
    }
    boolean free = FREE.contains(String.valueOf(request.path()));
    if (!free && token.isPresent() && !token.get().isPresentedBy(request)) {
      failedTries.note(request.remoteAddress());
      answers.send(
          request,
          Problem.of(
              401,
              "send the admin token as `Authorization: Bearer TOKEN`",
              new HeaderField("WWW-Authenticate", "Bearer")));
      return;
    }
    table.handle(request);
  }

  private static Answer alive() {
    return CallTable.json(200, new JsonObject().put("status", "alive"));
  }

  private static Answer ready(Readiness now) {
    JsonObject body =
        new JsonObject()
            .put("status", now.ready() ? "ready" : "no quotas yet")
            .put("revision", now.revision())
            .put("loaded_at", now.loadedAt().toString())
            .put("store", new JsonObject().put("state", now.store()));
    return CallTable.json(now.ready() ? 200 : 503, body);
  }

  private static Answer metrics(Parts parts) {
    return new Answer(
        200,
        List.of(new HeaderField("Content-Type", parts.metricsType())),
        parts.metricsPage().get());
  }
}
