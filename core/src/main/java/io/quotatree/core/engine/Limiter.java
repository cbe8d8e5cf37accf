package io.quotatree.core.engine;

import io.quotatree.core.ledger.Later;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Request;
import io.quotatree.core.ticket.Tickets;
import io.quotatree.core.time.LedgerClock;
import io.quotatree.core.time.Moment;
import io.quotatree.core.time.Ticker;
import java.util.List;
import java.util.Objects;

/**
 * Decides requests: joins a policy, a ledger and a clock.
 *
 * <p>Safe for use by several threads, each with decisions of its own. With the memory ledger a
 * decision never waits for anything, and allocates nothing where it is reused (but for anonymous
 * users that are counted by address, network or session). A shared ledger has to be asked: event
 * loops decide with a {@link Later}.
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
   * Decides a request, and charges it if it is allowed. Waits where a shared ledger has to be
   * asked, so it is not for event loops then.
   *
   * @param decision is filled
   * @throws io.quotatree.core.policy.BadPathException if the request's path has no canonical form;
   *     nothing was charged then, and what the decision tells is of no meaning
   * @throws IllegalStateException if the decision still holds permits in flight of another request
   */
  public void decide(Request request, Decision decision) {
    if (!decide(request, decision, decision.waiting)) {
      decision.waiting.await();
    }
  }

  /**
   * Decides a request, and charges it if it is allowed, without waiting for a shared ledger.
   *
   * @param decision is filled; where the answer is not there at once it must not be touched until
   *     {@code later} was told
   * @param later is told when the decision is made, if that is not at once
   * @return true where it is made now; false where {@code later} will be told, or was
   * @throws io.quotatree.core.policy.BadPathException if the request's path has no canonical form;
   *     nothing was charged then, and what the decision tells is of no meaning
   * @throws IllegalStateException if the decision still holds permits in flight of another request
   */
  public boolean decide(Request request, Decision decision, Later later) {
    decision.begin();
    // First: reading it waits for whatever the processor still fetches.
    clock.read(decision.moment);
    policy.plan(request, decision.plan);
    boolean isNow =
        decision.plan.isBlocked()
            || ledger.execute(
                decision.plan, decision.moment, decision.verdict, decision.tell(later));
    if (isNow) {
      decision.decided();
    }
    return isNow;
  }

  /**
   * Drops some of the counters in which nothing is used any more, and goes on from there the next
   * time. To be called about once a second, by a thread that serves no requests; a gateway does.
   */
  public void tidy() {
    ledger.tidy(now());
  }

  /** Gives back the permits in flight that a decision holds; a second call does nothing. */
  public void release(Decision decision) {
    ledger.release(decision.plan, decision.verdict);
  }

  /**
   * Gives back what an allowed decision charged, as {@link #settle} with cost 0 does. Permits in
   * flight stay held until they are released.
   *
   * @return false where nothing was allowed, or the decision was settled before
   */
  public boolean refund(Decision decision) {
    return settle(decision, 0);
  }

  /**
   * Replaces the cost that an allowed decision charged by the true one, once. What was too much
   * goes back as far as it still counts, but never to the node layer; what was too little is taken
   * now, past the limit if need be: later requests wait for it.
   *
   * @param costPermits the true cost, 0 to 10^9
   * @return false where nothing was allowed, or the decision was settled before
   */
  public boolean settle(Decision decision, long costPermits) {
    requireCost(costPermits);
    if (!decision.endAccount()) {
      return false;
    }
    return settle(ledger.receipt(decision.plan, decision.verdict), costPermits);
  }

  /**
   * What an allowed decision took, for whoever will release and settle it later. The decision
   * itself holds nothing any more, and can be used again.
   *
   * @throws IllegalStateException if the decision allows nothing, or was settled
   */
  public Receipt keep(Decision decision) {
    if (!decision.endAccount()) {
      throw new IllegalStateException("only an allowed decision that was not settled is kept");
    }
    Receipt receipt = ledger.receipt(decision.plan, decision.verdict);
    decision.verdict.released();
    return receipt;
  }

  /** Gives back the permits in flight that a receipt holds; a second call does nothing. */
  public void release(Receipt receipt) {
    ledger.release(receipt, now());
  }

  /**
   * Settles a receipt, as {@link #settle(Decision, long)} does a decision.
   *
   * @return false where it was settled before
   */
  public boolean settle(Receipt receipt, long costPermits) {
    requireCost(costPermits);
    return ledger.settle(receipt, now(), costPermits);
  }

  /**
   * Ids for decisions of this limiter that are kept; see {@link #keep}.
   *
   * @param most how many there may be at once
   */
  public Tickets tickets(int most) {
    return new Tickets(ledger, clock, most);
  }

  private static void requireCost(long costPermits) {
    if (costPermits < 0 || costPermits > Rate.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "a cost of " + costPermits + "; settle for 0 to " + Rate.MAX_PERMITS);
    }
  }

  /**
   * How full a subject's limits are, without charging or making any counter. Limits that apply to
   * the subject only at times (of a user's plan) are told where they were used; a blocked quota is
   * a limit of 0. Waits where a shared ledger has to be asked.
   *
   * @param subject as decisions, answers and logs write it
   * @return each limit with what remains, and how long a request of cost 1 would have to wait
   * @throws IllegalArgumentException if no subject of that layer is written so
   * @throws IllegalStateException if the shared ledger could not be asked
   */
  public List<LimitState> peek(Layer layer, String subject) {
    Decision looked = new Decision();
    int applying = policy.find(layer, subject, looked.plan);
    clock.read(looked.moment);
    if (!ledger.peek(looked.plan, looked.moment, looked.verdict, looked.waiting)) {
      looked.waiting.await();
    }
    requireAnswer(looked.verdict);
    return looked.usage(applying);
  }

  /**
   * Empties all counters of a subject, but for requests in flight. It is that one subject's: no
   * character in it stands for others. Waits where a shared ledger has to be asked.
   *
   * @param subject as decisions, answers and logs write it
   * @return how many counters had something used in them
   * @throws IllegalArgumentException if no subject of that layer is written so
   * @throws IllegalStateException if the shared ledger could not be asked; nobody knows then
   *     whether the counters were emptied
   */
  public int reset(Layer layer, String subject) {
    Decision found = new Decision();
    policy.find(layer, subject, found.plan);
    clock.read(found.moment);
    if (!ledger.reset(found.plan, found.moment, found.verdict, found.waiting)) {
      found.waiting.await();
    }
    requireAnswer(found.verdict);
    return found.verdict.emptied();
  }

  private static void requireAnswer(Verdict verdict) {
    if (verdict.isUnavailable()) {
      throw new IllegalStateException(
          "the shared ledger gave no answer; ask again when its store is back");
    }
  }

  private Moment now() {
    Moment moment = new Moment();
    clock.read(moment);
    return moment;
  }

  /**
   * Reads the clocks without deciding anything, so that a step of the wall clock is noticed now.
   */
  public void noticeClock() {
    now();
  }
}
