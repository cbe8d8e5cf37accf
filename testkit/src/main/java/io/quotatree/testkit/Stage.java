package io.quotatree.testkit;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.ManualTicker;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;

/**
 * One gateway, a ledger and a clock that stands until it is told to move.
 *
 * <p>Safe for several threads as far as its ledger is.
 */
public final class Stage {

  /** When every stage begins: a whole day. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final String NODE_ID = "gw-1";

  private final ManualTicker ticker = new ManualTicker(START);
  private final Ledger ledger;
  private final Limiter limiter;

  /** A gateway with an empty ledger. */
  public Stage(QuotaTree tree, Function<ManualTicker, Ledger> emptyLedger) {
    ledger = emptyLedger.apply(ticker);
    limiter = new Limiter(Policy.compile(tree, NODE_ID), ledger, ticker);
  }

  /** The ledger. */
  public Ledger ledger() {
    return ledger;
  }

  /** The limiter. */
  public Limiter limiter() {
    return limiter;
  }

  /** Sends a request; it holds its permits in flight until released. */
  public Decision send(Request request) {
    Decision decision = new Decision();
    limiter.decide(request, decision);
    return decision;
  }

  /** Sends a request again and again at one instant, and tells how many were allowed. */
  public int allowed(Request request, int times) {
    int allowed = 0;
    for (int i = 0; i < times; i++) {
      allowed += send(request).allowed() ? 1 : 0;
    }
    return allowed;
  }

  /** The limit that the answer to one more request tells. */
  public LimitState told(Request request) {
    return told(send(request));
  }

  /** The limit that an answer tells. */
  public static LimitState told(Decision decision) {
    return decision
        .told()
        .orElseThrow(() -> new AssertionError("told nothing, though a limit applies"));
  }

  /** What is left of the only limit that applies, without taking any. */
  public long remaining(Request request) {
    return told(request.withCost(0)).remainingPermits();
  }

  /** Ends a request. */
  public void release(Decision decision) {
    limiter.release(decision);
  }

  /** Puts another tree in force. */
  public void reload(QuotaTree tree) {
    limiter.use(Policy.compile(tree, NODE_ID));
  }

  /** Lets both clocks run on. */
  public void advance(Duration time) {
    ticker.advance(time);
  }

  /** Lets both clocks run on. */
  public void advanceMillis(long millis) {
    ticker.advance(Duration.ofMillis(millis));
  }

  /** Lets both clocks run on. */
  public void advanceMicros(long micros) {
    ticker.advance(Duration.of(micros, ChronoUnit.MICROS));
  }

  /** Steps the wall clock alone. */
  public void stepWall(Duration step) {
    ticker.stepWall(step);
  }

  /** How long the clock ran since the stage began. */
  public Duration elapsed() {
    return Duration.ofNanos(ticker.monotonicNanos());
  }
}
