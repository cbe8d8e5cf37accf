package io.quotatree.scenario;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Wait;
import io.quotatree.quotafile.yaml.Durations;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;

/** What can be expected of a step: the keys of {@code expect}. */
public enum Aspect {
  /** How many of the step's requests were allowed. */
  ALLOWED(Kind.COUNT, "how many of the requests were allowed"),
  /** How many were refused. */
  REFUSED(Kind.COUNT, "how many were refused"),
  /** How many of the allowed a shadow limit would have refused. */
  WOULD_REFUSE(Kind.COUNT, "how many of the allowed a shadow quota would have refused"),
  /** The layer of the limit told. */
  LAYER(Kind.LAYER, "the layer of the last refusal, or else of the last decision"),
  /** Whose counter the limit told is. */
  SUBJECT(Kind.TEXT, "whose counter its limit is"),
  /** The permits of the limit told. */
  LIMIT(Kind.COUNT, "the permits of its limit"),
  /** How many of its permits are in use. */
  USED(Kind.COUNT, "how many of them are in use"),
  /** How many are left. */
  REMAINING(Kind.COUNT, "how many are left"),
  /** How long from then until the request would be granted. */
  RETRY_AFTER(Kind.WAIT, "how long until the request would be granted, or never"),
  /** How long from then until nothing of the limit told is in use. */
  RESET(Kind.WAIT, "how long until nothing of its limit is in use"),
  /** How long the last queued request waited. */
  WAIT(Kind.WAIT, "how long the last queued request waited"),
  /** How sure the decision is. */
  SURE(Kind.CERTAINTY, "how sure the decision is");

  /** What {@link Wait#NEVER} is called. */
  static final String NEVER = "never";

  private final String word = name().toLowerCase(Locale.ROOT);
  private final Kind kind;
  private final String doc;

  Aspect(Kind kind, String doc) {
    this.kind = kind;
    this.doc = doc;
  }

  /** The aspect as it is written in scenarios. */
  public String word() {
    return word;
  }

  Kind kind() {
    return kind;
  }

  /** What it is about, in a few words. */
  String doc() {
    return doc;
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
    return wait.never() ? NEVER : Durations.words(Duration.ofMillis(wait.millis()));
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
