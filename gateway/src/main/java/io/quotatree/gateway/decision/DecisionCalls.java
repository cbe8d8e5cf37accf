package io.quotatree.gateway.decision;

import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.ticket.FleetTickets;
import io.quotatree.core.ticket.Tickets;
import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.calls.Asked;
import io.quotatree.gateway.calls.Call;
import io.quotatree.gateway.calls.CallException;
import io.quotatree.gateway.calls.CallTable;
import io.quotatree.gateway.calls.JsonFields;
import io.quotatree.http.Answer;
import io.quotatree.http.HeaderField;
import io.quotatree.http.Problem;
import io.quotatree.http.QuotaReplies;
import io.quotatree.observe.Metrics;
import io.quotatree.observe.log.DecisionLog;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The calls of the decision API: {@code /v1/decide}, {@code /v1/release}, {@code /v1/renew} and
 * {@code /v1/settle}.
 *
 * <p>A body is checked whole before anything is decided, so that a request that is answered with
 * 400 has charged nothing. Safe for use by several event loops.
 */
public final class DecisionCalls {

  /** How many decisions one call may ask for. */
  public static final int MOST_AT_ONCE = 1_000;

  private static final int DECIDE_BODY_BYTES = 1024 * 1024;
  private static final int ID_CHARS = 64;
  private static final String NO_ROOM =
      "there are as many running requests as ids for them; release what has ended, or come back";

  private static final String NOT_RUNNING =
      "no request runs by this id: it is unknown, was released, or its hold is over";

  private final Parts parts;

  /**
   * What decisions are made with.
   *
   * @param limiter decides
   * @param tickets gives decisions their ids
   * @param replies the style of what is answered; asked at each call
   * @param ticker the time that answers tell
   * @param metrics counts decisions
   * @param decisions logs them
   */
  public record Parts(
      Limiter limiter,
      FleetTickets tickets,
      Supplier<QuotaReplies> replies,
      Ticker ticker,
      Metrics metrics,
      DecisionLog decisions) {}

  /** Calls that decide by the given parts. */
  public DecisionCalls(Parts parts) {
    this.parts = parts;
  }

  /** The rows of a table of calls. */
  public List<Call> calls() {
    return List.of(
        Call.asking("/v1/decide", this::decide)
            .taking(
                new Call.Content(
                    List.of("application/json"), DECIDE_BODY_BYTES, Call.Presence.REQUIRED)),
        Call.asking("/v1/release", this::release),
        Call.asking("/v1/renew", this::renew),
        Call.asking("/v1/settle", this::settle));
  }

  private Future<Answer> decide(Asked asked) {
    asked.knowsOnly();
    Object body = asked.json();
    if (body instanceof JsonObject object) {
      List<AskedDecision> one = List.of(AskedDecision.read(object, ""));
      requireRoom(1);
      return new InTurn(parts, one, asked.gone())
          .decided()
          .map(answers -> CallTable.json(200, answers.getJsonObject(0)));
    }
    if (body instanceof JsonArray array) {
      List<AskedDecision> all = all(array);
      requireRoom(all.size());
      return new InTurn(parts, all, asked.gone()).decided().map(DecisionCalls::several);
    }
    throw CallException.of(400, "the body is no object and no array; write one, or several in [ ]");
  }

  private static List<AskedDecision> all(JsonArray array) {
    if (array.isEmpty() || array.size() > MOST_AT_ONCE) {
      throw CallException.of(
          400, "the array has " + array.size() + " items; write 1 to " + MOST_AT_ONCE);
    }
    List<AskedDecision> all = new ArrayList<>(array.size());
    for (int i = 0; i < array.size(); i++) {
      if (!(array.getValue(i) instanceof JsonObject object)) {
        throw CallException.of(400, "`[" + i + "]` is no object; write one");
      }
      all.add(AskedDecision.read(object, "[" + i + "]."));
    }
    return all;
  }

  private static Answer several(JsonArray answers) {
    return new Answer(
        200, List.of(new HeaderField("Content-Type", "application/json")), answers.encode());
  }

  private void requireRoom(int decisions) {
    if (!parts.tickets().own().hasRoom(decisions)) {
      throw new CallException(Problem.unavailable(NO_ROOM));
    }
  }

  private Future<Answer> release(Asked asked) {
    asked.knowsOnly();
    String id = id(asked.fields("id"));
    return told(parts.tickets().release(id))
        .map(
            released -> {
              if (!released) {
                throw unknown(NOT_RUNNING);
              }
              return CallTable.json(200, new JsonObject().put("id", id).put("released", true));
            });
  }

  private Future<Answer> renew(Asked asked) {
    asked.knowsOnly();
    JsonFields fields = asked.fields("id", "hold");
    String id = id(fields);
    return told(parts.tickets().renew(id, AskedDecision.hold(fields, Tickets.USUAL_HOLD)))
        .map(
            micros -> {
              if (micros.isEmpty()) {
                throw unknown(NOT_RUNNING);
              }
              Ticker ticker = parts.ticker();
              long end = ticker.wallMicros(ticker.monotonicNanos()) + micros.getAsLong();
              return CallTable.json(
                  200,
                  new JsonObject().put("id", id).put("held_until", DecisionAnswer.instant(end)));
            });
  }

  private Future<Answer> settle(Asked asked) {
    asked.knowsOnly();
    JsonFields fields = asked.fields("id", "cost");
    String id = id(fields);
    long cost =
        fields
            .whole("cost", 0, Rate.MAX_PERMITS)
            .orElseThrow(() -> fields.wrong("cost", "is left out", "the true cost; 0 refunds it"));
    return told(parts.tickets().settle(id, cost))
        .map(
            settled -> {
              if (!settled) {
                throw unknown(
                    "nothing is open by this id: it is unknown, was settled, or is over ten minutes old");
              }
              return CallTable.json(200, new JsonObject().put("id", id).put("cost", cost));
            });
  }

  /** What the ids answer, on the event loop of the call. */
  private static <T> Future<T> told(CompletionStage<T> answer) {
    return Future.fromCompletionStage(
            answer, Objects.requireNonNull(Vertx.currentContext(), "calls come on an event loop"))
        .recover(
            failure ->
                Future.failedFuture(
                    new CallException(
                        Problem.unavailable(
                            "the store of ids gave no answer, and nobody knows whether this was done; try again"))));
  }

  private static String id(JsonFields fields) {
    return fields.required("id", ID_CHARS, "the id that the decision was answered with");
  }

  private static CallException unknown(String why) {
    return CallException.of(404, why);
  }
}
