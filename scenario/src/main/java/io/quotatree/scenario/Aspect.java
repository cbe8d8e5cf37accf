package io.quotatree.scenario;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Wait;
import java.util.Locale;
import java.util.function.Function;

/** What can be expected of a step: the keys of {@code expect}. */
public enum Aspect {
  /** How many of the step's requests were allowed. */
  ALLOWED(Kind.COUNT),
  /** How many were refused. */
  REFUSED(Kind.COUNT),
  /** How many of the allowed a shadow limit would have refused. */
  WOULD_REFUSE(Kind.COUNT),
  /** The layer of the limit told. */
  LAYER(Kind.LAYER),
  /** Whose counter the limit told is. */
  SUBJECT(Kind.TEXT),
  /** The permits of the limit told. */
  LIMIT(Kind.COUNT),
  /** How many of its permits are in use. */
  USED(Kind.COUNT),
  /** How many are left. */
  REMAINING(Kind.COUNT),
  /** How long from then until the request would be granted. */
  RETRY_AFTER(Kind.WAIT),
  /** How long from then until nothing of the limit told is in use. */
  RESET(Kind.WAIT),
  /** How long the last queued request waited. */
  WAIT(Kind.WAIT),
  /** How sure the decision is. */
  SURE(Kind.CERTAINTY);

  /** What {@link Wait#NEVER} is called. */
  static final String NEVER = "never";

  private final String word = name().toLowerCase(Locale.ROOT);
  private final Kind kind;

  Aspect(Kind kind) {
    this.kind = kind;
  }

  /** The aspect as it is written in scenarios. */
  public String word() {
    return word;
  }

  Kind kind() {
    return kind;
  }

  /** What came, in the same spelling as {@link Expectation#value}. */
  String came(Sent sent) {
    return switch (this) {
      case ALLOWED -> Long.toString(sent.allowed());
      case REFUSED -> Long.toString(sent.refused());
      case WOULD_REFUSE -> Long.toString(sent.wouldRefuse());
      case LAYER -> told(sent, state -> state.layer().word());
      case SUBJECT -> told(sent, LimitState::subject);
      case LIMIT -> told(sent, state -> Long.toString(state.limitPermits()));
      case USED -> told(sent, state -> Long.toString(state.usedPermits()));
      case REMAINING -> told(sent, state -> Long.toString(state.remainingPermits()));
      case RETRY_AFTER -> text(sent.telling().retryAfter());
      case RESET -> told(sent, state -> text(state.reset()));
      case WAIT -> "no request that waited";
      case SURE -> sent.telling().certainty().word();
    };
  }

  private static String told(Sent sent, Function<LimitState, String> value) {
    return sent.telling().told().map(value).orElse("no limit to tell of");
  }

  private static String text(Wait wait) {
    // Milliseconds rounded up, as they are told to callers.
    return wait.never() ? NEVER : DurationText.ofMillis(wait.millis());
  }

  /** How a value is written. */
  enum Kind {
    COUNT,
    LAYER,
    TEXT,
    WAIT,
    CERTAINTY
  }

  /**
   * What came of a step.
   *
   * @param telling the step's last refusal, or else its last decision
   */
  record Sent(long allowed, long refused, long wouldRefuse, Decision telling) {}
}
