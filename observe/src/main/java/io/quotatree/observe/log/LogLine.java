package io.quotatree.observe.log;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Wait;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A decision that is to be written down once its request's answer is known.
 *
 * <p>It holds all that the line needs, so the decision may be used again. Not for use by several
 * threads at once, but for {@link #answered}, of which the first call counts.
 */
public final class LogLine {

  static final String WOULD_REFUSE = "would_refuse";

  final String outcome;
  final @Nullable Layer finalLayer;
  final Set<Layer> hitLayers;
  final String caller;
  final String user;
  final String api;
  private final boolean isNamedApi;
  final @Nullable LimitState limit;
  final long costPermits;
  final @Nullable Long retryAfterMillis;
  final String sure;
  final Seen seen;
  final LogSettings.Users users;

  private final DecisionLog log;
  private final AtomicBoolean isAnswered = new AtomicBoolean();

  /**
   * What only the door knows of a request.
   *
   * @param path the method and the canonical path: {@code GET /user/17}
   * @param requestId what logs on both sides call it
   * @param wallMicros when it was decided, in microseconds since the Unix epoch
   */
  public record Seen(String path, String requestId, long wallMicros) {}

  LogLine(DecisionLog log, Decision decision, Seen seen, LogSettings.Users users) {
    this.log = log;
    this.seen = seen;
    this.users = users;
    boolean wouldRefuse = decision.outcome() == Outcome.ALLOWED && decision.wouldRefuse();
    Optional<LimitState> told = wouldRefuse ? decision.shadow() : decision.told();
    this.outcome = wouldRefuse ? WOULD_REFUSE : decision.outcome().word();
    this.limit = told.orElse(null);
    this.finalLayer =
        wouldRefuse ? told.map(LimitState::layer).orElse(null) : decision.layer().orElse(null);
    this.hitLayers = decision.hitLayers();
    this.caller = decision.caller();
    this.user = decision.user();
    this.api = decision.api();
    this.isNamedApi = decision.isNamedApi();
    this.costPermits = decision.costPermits();
    Wait wait = wouldRefuse ? told.map(LimitState::retryAfter).orElse(Wait.NEVER) : wait(decision);
    this.retryAfterMillis = wait.never() ? null : (Long) wait.millis();
    this.sure = decision.certainty().word();
  }

  private static Wait wait(Decision decision) {
    // Of an allowed request there is nothing to wait for, and of an unavailable one nothing known.
    return decision.outcome() == Outcome.REFUSED ? decision.retryAfter() : Wait.NEVER;
  }

  /**
   * Hands the line to the log: the status of the answer is known. Never waits; a second call does
   * nothing.
   *
   * @param status the HTTP status
   */
  public void answered(int status) {
    if (!isAnswered.getAndSet(true)) {
      log.take(new Answered(this, status));
    }
  }

  /** The api as its line names it; of a path that no line fits, the path itself. */
  String path() {
    return isNamedApi ? api : seen.path();
  }

  /** A line that is whole. */
  record Answered(LogLine line, int status) {}
}
