package io.quotatree.http;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Wait;
import io.quotatree.core.policy.ReplyStyle;
import io.quotatree.core.policy.ReplyStyle.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What clients are told of decisions: the 429 of a refusal, and the fields of allowed answers.
 *
 * <p>All rounding that clients see happens behind this class: waits and resets up to whole seconds,
 * Retry-After to at least one. Immutable, and safe for use by several threads.
 */
public final class QuotaReplies {

  private final ReplyStyle style;
  private final RateLimitFields rateLimitFields;

  /** Replies in one style: that of the tree which the decisions come from. */
  public QuotaReplies(ReplyStyle style) {
    this.style = style;
    this.rateLimitFields = new RateLimitFields(style);
  }

  /**
   * The answer to a request that was not allowed: 429 if it was refused, 503 if the store failed.
   *
   * @param requestId what tells this request from others; it moves the Retry-After a little
   * @param wallMicros the wall time now, in microseconds since the Unix epoch
   * @throws IllegalArgumentException if the decision allows the request
   */
  public Answer refuse(Decision decision, String requestId, long wallMicros) {
    if (decision.outcome() == Outcome.UNAVAILABLE) {
      return Problem.unavailable("quota store unavailable: try again in a second");
    }
    return refuse(Refusal.of(decision), requestId, wallMicros);
  }

  Answer refuse(Refusal refusal, String requestId, long wallMicros) {
    List<HeaderField> fields = new ArrayList<>();
    if (!refusal.retryAfter().never()) {
      fields.add(new HeaderField("Retry-After", Long.toString(retryAfter(refusal, requestId))));
    }
    List<String> names = PolicyNames.of(refusal.refusing());
    fields.addAll(rateLimitFields.refused(refusal, names, wallMicros));
    return Problem.document(
        429,
        fields,
        Problem.QUOTA_EXCEEDED,
        "Too Many Requests",
        style.message(),
        json -> {
          if (!refusal.retryAfter().never()) {
            json.writeNumberField("retry_after", RetryAfter.exactSeconds(refusal.retryAfter()));
          }
          json.writeStringField("layer", refusal.told().layer().word());
          json.writeArrayFieldStart("violated-policies");
          for (String name : names) {
            json.writeString(name);
          }
          json.writeEndArray();
        });
  }

  /**
   * The same answer to a gRPC call: RESOURCE_EXHAUSTED if it was refused, UNAVAILABLE if the store
   * failed. The time to come back is spread as Retry-After is.
   *
   * @param contentType that of the call
   */
  public Answer refuseCall(
      Decision decision, String contentType, String requestId, long wallMicros) {
    if (decision.outcome() == Outcome.UNAVAILABLE) {
      return GrpcAnswers.problem(
          contentType, 503, "quota store unavailable: try again in a second");
    }
    return refuseCall(Refusal.of(decision), contentType, requestId, wallMicros);
  }

  Answer refuseCall(Refusal refusal, String contentType, String requestId, long wallMicros) {
    return GrpcAnswers.refused(
        contentType,
        style.message(),
        rateLimitFields.refused(refusal, PolicyNames.of(refusal.refusing()), wallMicros),
        spread(refusal, requestId));
  }

  private Wait spread(Refusal refusal, String requestId) {
    Wait wait = refusal.retryAfter();
    return style.spread() == Spread.EXACT || wait.never()
        ? wait
        : RetryAfter.spread(wait, refusal.told().subject(), requestId);
  }

  private long retryAfter(Refusal refusal, String requestId) {
    return RetryAfter.exactSeconds(spread(refusal, requestId));
  }

  /**
   * The fields to put on the upstream's answer to an allowed request; none where nothing may be
   * told. Where there are some, the upstream's own fields that {@link #displaces} names are to be
   * removed.
   *
   * @param wallMicros the wall time now, in microseconds since the Unix epoch
   */
  public List<HeaderField> allow(Decision decision, long wallMicros) {
    return switch (style.disclosure()) {
      case NONE -> List.of();
      case ALL -> allow(decision.told(), wallMicros);
      case OWN -> allow(decision.toldOwn(), wallMicros);
    };
  }

  List<HeaderField> allow(Optional<LimitState> told, long wallMicros) {
    return told.map(limit -> rateLimitFields.allowed(limit, wallMicros)).orElse(List.of());
  }

  /** The names that fields of allowed answers may have. */
  public static List<String> fieldNames() {
    return RateLimitFields.NAMES;
  }

  /** Whether a field of this name on an upstream's answer gives way to ours. */
  public static boolean displaces(String fieldName) {
    return fieldName.regionMatches(true, 0, "x-ratelimit-", 0, 12)
        || fieldName.regionMatches(true, 0, "ratelimit-", 0, 10)
        || fieldName.equalsIgnoreCase("ratelimit");
  }
}
