package io.quotatree.gateway.decision;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Wait;
import io.quotatree.http.HeaderField;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A decision in JSON. Fields that have nothing to tell are null. */
final class DecisionAnswer {

  private DecisionAnswer() {}

  /**
   * The JSON of a decision.
   *
   * @param headers the fields that the gateway would answer with
   * @param wallMicros the wall time now
   */
  static JsonObject of(Decision decision, String id, List<HeaderField> headers, long wallMicros) {
    JsonObject answer =
        new JsonObject()
            .put("allowed", decision.allowed())
            .put("outcome", decision.outcome().word());
    LimitState told = decision.told().orElse(null);
    answer
        .put("layer", told == null ? null : told.layer().word())
        .put("subject", told == null ? null : told.subject())
        .put("limit", told == null ? null : told.limitPermits())
        .put("used", told == null ? null : told.usedPermits())
        .put("remaining", told == null ? null : told.remainingPermits())
        .put("retry_after_ms", retryAfter(decision))
        .put("reset", told == null ? null : reset(told, wallMicros))
        .put("sure", decision.certainty().word());
    JsonObject fields = new JsonObject();
    for (HeaderField field : headers) {
      if (!field.name().equals("Content-Type")) {
        fields.put(field.name(), field.value());
      }
    }
    return answer.put("headers", fields).put("id", id);
  }

  private static @Nullable Long retryAfter(Decision decision) {
    Wait wait = decision.retryAfter();
    return decision.allowed() || wait.never() ? null : Long.valueOf(wait.millis());
  }

  private static @Nullable String reset(LimitState told, long wallMicros) {
    boolean resets = told.limitPermits() > 0 && !told.reset().never();
    return resets ? instant(wallMicros + told.reset().micros()) : null;
  }

  /** A moment as text; milliseconds are rounded up. */
  static String instant(long wallMicros) {
    long millis = -Math.floorDiv(-wallMicros, 1_000L);
    return Instant.EPOCH.plus(millis, ChronoUnit.MILLIS).toString();
  }
}
