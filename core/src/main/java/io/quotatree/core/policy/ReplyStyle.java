package io.quotatree.core.policy;

import java.util.Objects;

/**
 * What answers tell of quotas.
 *
 * @param message the words of a refusal, for people
 * @param fields which header fields an answer has
 * @param keys whether the fields that name layer and subject are among them
 * @param disclosure which limit an allowed answer tells
 * @param spread whether Retry-After differs a little from request to request
 */
public record ReplyStyle(
    String message, Fields fields, Keys keys, Disclosure disclosure, Spread spread) {

  /** Both kinds of fields, keys shown, a caller's own limits alone, waits spread. */
  public static final ReplyStyle DEFAULT =
      new ReplyStyle("Too many requests", Fields.BOTH, Keys.SHOWN, Disclosure.OWN, Spread.SPREAD);

  /** Refuses missing parts. */
  public ReplyStyle {
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(fields, "fields");
    Objects.requireNonNull(keys, "keys");
    Objects.requireNonNull(disclosure, "disclosure");
    Objects.requireNonNull(spread, "spread");
  }

  /** Which header fields an answer has. */
  public enum Fields {
    /** {@code RateLimit} and {@code RateLimit-Policy}. */
    STANDARD,
    /** {@code X-RateLimit-*}. */
    LEGACY,
    /** All. */
    BOTH,
    /** None; Retry-After stays. */
    NONE
  }

  /** Whether {@code X-RateLimit-Scope} and {@code -Key} are among the fields. */
  public enum Keys {
    /** They are. */
    SHOWN,
    /** They are not. */
    HIDDEN
  }

  /** Which limit an allowed answer tells. */
  public enum Disclosure {
    /** The caller's own with the smallest share left. */
    OWN,
    /** The one of all with the smallest share left. */
    ALL,
    /** None. */
    NONE
  }

  /**
   * Whether Retry-After differs a little from request to request, so that clients do not come back
   * in step.
   */
  public enum Spread {
    /** It does. */
    SPREAD,
    /** It is the exact wait, rounded up. */
    EXACT
  }
}
