package io.quotatree.core.engine;

import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.LedgerClock;
import io.quotatree.core.time.Moment;
import io.quotatree.core.time.Ticker;
import java.util.Objects;

/**
 * Decides requests: joins a policy, a ledger and a clock.
 *
 * <p>Safe for use by several threads, each with decisions of its own. A decision takes well under a
 * microsecond, never waits for anything, and allocates nothing where it is reused (but for
 * anonymous users that are counted by address, network or session).
 *
 * <pre>{@code
 * Limiter limiter = new Limiter(policy, new MemoryLedger(), Ticker.system());
 * Decision decision = new Decision();
 * limiter.decide(Request.of("app-a", "u1", "GET", "/user/info"), decision);
 * try {
 *   if (decision.allowed()) { ... }
 * } finally {
 *   limiter.release(decision);
 * }
 * }</pre>
 */
public final class Limiter {

  private final Ledger ledger;
  private final LedgerClock clock;

  /** Replaced by {@link #use}; a decision reads it once. */
  private volatile Policy policy;

  /**
   * A limiter.
   *
   * @param ledger where usage is counted; limiters of a fleet may share one, each with a policy
   *     that was compiled for its own node id
   */
  public Limiter(Policy policy, Ledger ledger, Ticker ticker) {
    this.ledger = Objects.requireNonNull(ledger, "ledger");
    this.clock = new LedgerClock(Objects.requireNonNull(ticker, "ticker"));
    ledger.adopt(policy);
    this.policy = policy;
  }

  /** The policy in force. */
  public Policy policy() {
    return policy;
  }

  /** Puts another policy in force: it holds for the very next decision, and usage is kept. */
  public synchronized void use(Policy changed) {
    ledger.adopt(changed);
    policy = changed;
  }

  /**
   * Decides a request, and charges it if it is allowed.
   *
   * @param decision is filled
   * @throws io.quotatree.core.policy.BadPathException if the request's path has no canonical form;
   *     nothing was charged then
   * @throws IllegalStateException if the decision still holds permits in flight of another request
   */
  public void decide(Request request, Decision decision) {
    decision.begin();
    policy.plan(request, decision.plan);
    clock.read(decision.moment);
    if (!decision.plan.isBlocked()) {
      ledger.execute(decision.plan, decision.moment, decision.verdict);
    }
    decision.decided();
  }

  /** Gives back the permits in flight that a decision holds; a second call does nothing. */
  public void release(Decision decision) {
    ledger.release(decision.plan, decision.verdict);
  }

  /**
   * Reads the clocks without deciding anything, so that a step of the wall clock is noticed now.
   */
  public void noticeClock() {
    clock.read(new Moment());
  }
}
