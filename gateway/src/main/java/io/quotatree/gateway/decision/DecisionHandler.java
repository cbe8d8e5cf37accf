package io.quotatree.gateway.decision;

import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.calls.Call;
import io.quotatree.gateway.calls.CallTable;
import io.quotatree.gateway.calls.FailedTries;
import io.quotatree.gateway.proxy.AnswerWriter;
import io.quotatree.gateway.proxy.UnderWay;
import io.quotatree.http.HeaderField;
import io.quotatree.http.Problem;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers on the decision address: the decision API and nothing else, for those who present a token
 * or a client certificate. {@code /healthz} is free. Lives on one event loop.
 */
public final class DecisionHandler implements Handler<HttpServerRequest> {

  private static final String HEALTH = "/healthz";

  private final Credentials credentials;
  private final AnswerWriter answers;
  private final CallTable table;
  private final FailedTries failedTries = new FailedTries(Ticker.system(), "decision address");

  /**
   * What admits to the decision address.
   *
   * @param tokens of which any admits; empty for none
   * @param certificates whether a client's certificate admits
   */
  public record Credentials(Optional<DecideTokens> tokens, Certificates certificates) {

    /** Refuses an address that admits nobody. */
    public Credentials {
      if (tokens.isEmpty() && certificates == Certificates.ADMIT_NOBODY) {
        throw new IllegalArgumentException(
            "the decision address would admit nobody: give it tokens, or authorities of clients");
      }
    }
  }

  /** Whether client certificates admit. */
  public enum Certificates {
    /** Each connection has one that was verified. */
    ADMIT,
    /** There are none. */
    ADMIT_NOBODY
  }

  /** A handler. */
  public DecisionHandler(Vertx vertx, Credentials credentials, List<Call> calls) {
    this.credentials = credentials;
    this.answers = new AnswerWriter(vertx, new UnderWay());
    List<Call> all = new ArrayList<>();
    all.add(
        Call.get(HEALTH, asked -> CallTable.json(200, new JsonObject().put("status", "alive"))));
    all.addAll(calls);
    this.table = new CallTable(vertx, answers, all);
  }

  @Override
  public void handle(HttpServerRequest request) {
    if (HEALTH.equals(request.path()) || admits(request)) {
      table.handle(request);
      return;
    }
    failedTries.note(request.remoteAddress());
    answers.send(
        request,
        Problem.of(
            401,
            "send one of the tokens as `Authorization: Bearer TOKEN`",
            new HeaderField("WWW-Authenticate", "Bearer")));
  }

  private boolean admits(HttpServerRequest request) {
    // Where certificates admit, no connection is made without one.
    boolean certified =
        credentials.certificates() == Certificates.ADMIT && request.connection().isSsl();
    return certified
        || credentials.tokens().map(tokens -> tokens.isPresentedBy(request)).orElse(false);
  }
}
