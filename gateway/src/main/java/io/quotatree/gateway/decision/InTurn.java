package io.quotatree.gateway.decision;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.ticket.FleetTickets;
import io.quotatree.core.ticket.Tickets;
import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.calls.CallException;
import io.quotatree.gateway.proxy.Hop;
import io.quotatree.http.Answer;
import io.quotatree.http.HeaderField;
import io.quotatree.http.QuotaReplies;
import io.quotatree.observe.log.LogLine;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * The decisions of one call, each made when the one before it is: at once, or when the store has
 * answered, and always on the event loop of the call.
 *
 * <p>Where the caller leaves meanwhile, nobody will know the ids of what was granted last, so that
 * is given back and no more is asked.
 */
final class InTurn {

  /** What the log says of a caller that left: as the gateway has it. */
  private static final int CLIENT_GONE = 499;

  private final DecisionCalls.Parts parts;
  private final List<AskedDecision> all;
  private final BooleanSupplier gone;
  private final Context loop =
      Objects.requireNonNull(Vertx.currentContext(), "calls come on an event loop");
  private final Decision decision = new Decision();
  private final JsonArray answers = new JsonArray();
  private final List<CompletableFuture<?>> unknown = new ArrayList<>(1);
  private final Promise<JsonArray> whole = Promise.promise();
  private long startNanos;

  InTurn(DecisionCalls.Parts parts, List<AskedDecision> all, BooleanSupplier gone) {
    this.parts = parts;
    this.all = all;
    this.gone = gone;
  }

  /** Begins; the answers come in the order of the questions. */
  Future<JsonArray> decided() {
    goOn();
    return whole.future();
  }

  private void goOn() {
    try {
      while (answers.size() < all.size()) {
        Hop hop = new Hop(loop);
        startNanos = parts.ticker().monotonicNanos();
        if (!parts.limiter().decide(all.get(answers.size()).request(), decision, hop)) {
          hop.then(this::answeredLater);
          return;
        }
        answers.add(answer(all.get(answers.size())));
      }
      completeOnceKnown();
    } catch (RuntimeException e) {
      whole.fail(e);
    }
  }

  /** An id is told when it can be used, at every gateway. */
  private void completeOnceKnown() {
    CompletableFuture<?> all = CompletableFuture.allOf(unknown.toArray(CompletableFuture[]::new));
    if (all.isDone()) {
      whole.complete(answers);
      return;
    }
    CompletionStage<?> unused =
        all.whenComplete((known, never) -> loop.runOnContext(nothing -> whole.complete(answers)));
  }

  private void answeredLater() {
    AskedDecision asked = all.get(answers.size());
    try {
      if (gone.getAsBoolean()) {
        giveBack(asked);
        return;
      }
      answers.add(answer(asked));
    } catch (RuntimeException e) {
      whole.fail(e);
      return;
    }
    goOn();
  }

  private void giveBack(AskedDecision asked) {
    Ticker ticker = parts.ticker();
    long endNanos = ticker.monotonicNanos();
    parts.metrics().decided(decision, endNanos - startNanos);
    log(asked, Tickets.unused(), ticker.wallMicros(endNanos), CLIENT_GONE);
    parts.limiter().refund(decision);
    parts.limiter().release(decision);
    whole.fail(CallException.of(503, "nobody waited for the answer"));
  }

  private JsonObject answer(AskedDecision asked) {
    Ticker ticker = parts.ticker();
    try {
      long endNanos = ticker.monotonicNanos();
      parts.metrics().decided(decision, endNanos - startNanos);
      long wallMicros = ticker.wallMicros(endNanos);
      boolean allowed = decision.allowed();
      String id = allowed ? issue(asked.hold()) : Tickets.unused();
      QuotaReplies replies = parts.replies().get();
      List<HeaderField> headers;
      int status = 200;
      if (allowed) {
        headers = replies.allow(decision, wallMicros);
      } else {
        Answer refusal = replies.refuse(decision, id, wallMicros);
        headers = refusal.fields();
        status = refusal.status();
      }
      log(asked, id, wallMicros, status);
      return DecisionAnswer.of(decision, id, headers, wallMicros);
    } catch (RuntimeException e) {
      parts.limiter().release(decision);
      throw e;
    }
  }

  private String issue(Duration hold) {
    FleetTickets.Issued issued = parts.tickets().issue(parts.limiter().keep(decision), hold);
    CompletableFuture<?> known = issued.known().toCompletableFuture();
    if (!known.isDone()) {
      unknown.add(known);
    }
    return issued.text();
  }

  private void log(AskedDecision asked, String id, long wallMicros, int status) {
    if (parts.decisions().wants(decision)) {
      LogLine.Seen seen = new LogLine.Seen(asked.target(), id, wallMicros);
      parts.decisions().lineOf(decision, seen).answered(status);
    }
  }
}
