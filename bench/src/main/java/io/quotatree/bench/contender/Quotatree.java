package io.quotatree.bench.contender;

import io.quotatree.bench.load.Job;
import io.quotatree.bench.load.Names;
import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.Ticker;

/** Ours: the whole product's decision, as who embeds it makes it. */
final class Quotatree implements Contender<Request, Decision> {

  private static final String NODE_ID = "gateway-01";

  /** A subject met by so many permits stays live for a quarter of an hour. */
  private static final long MET_PERMITS = 50;

  private final QuotaTree tree;
  private final boolean charging;
  private final MemoryLedger ledger = new MemoryLedger();
  private final Limiter ahead;
  private Limiter limiter;

  private Quotatree(Job job, QuotaTree tree, boolean charging) {
    this.tree = tree;
    this.charging = charging;
    Policy usersAlone = Policy.compile(Quotas.usersAlone(job), NODE_ID);
    this.ahead = new Limiter(usersAlone, ledger, new AheadTicker());
    this.limiter = new Limiter(usersAlone, ledger, Ticker.system());
    if (!job.isPreloaded()) {
      debtsMade();
    }
  }

  static Quotatree of(Job job) {
    return new Quotatree(job, Quotas.tree(job), true);
  }

  /** Requests of cost 0: decided as ever, and nothing is charged. */
  static Quotatree asking(Job job) {
    return new Quotatree(job, Quotas.tree(job), false);
  }

  static Quotatree nodeless(Job job) {
    return new Quotatree(job, Quotas.tree(job).withNode(NodeLines.NONE), true);
  }

  @Override
  public Request request(Names names) {
    Request request = Request.of(names.caller(), names.user(), "GET", names.path());
    return charging ? request : request.withCost(0);
  }

  @Override
  public int read(Request request) {
    return Names.read(request.caller()) + Names.read(request.user()) + Names.read(request.path());
  }

  @Override
  public Decision scratch() {
    return new Decision();
  }

  @Override
  public boolean decide(Request request, Decision decision) {
    limiter.decide(request, decision);
    return decision.outcome() == Outcome.ALLOWED;
  }

  /** Charged by a clock that runs a day ahead: the bucket is in debt for a day. */
  @Override
  public void putInDebt(Request request) {
    ahead.decide(request.withCost(Quotas.USER_BURST), new Decision());
  }

  @Override
  public void debtsMade() {
    limiter = new Limiter(Policy.compile(tree, NODE_ID), ledger, Ticker.system());
  }

  @Override
  public void meet(Request request, Decision decision) {
    limiter.decide(request.withCost(MET_PERMITS), decision);
  }

  @Override
  public void tidy() {
    limiter.tidy();
  }

  /** The machine's clocks, a day ahead. */
  private static final class AheadTicker implements Ticker {
    private static final long DAY_MICROS = 86_400 * Quotas.SECOND;

    @Override
    public long monotonicNanos() {
      return Ticker.system().monotonicNanos() + 1000 * DAY_MICROS;
    }

    @Override
    public long wallMicros(long monotonicNanos) {
      return Ticker.system().wallMicros(monotonicNanos - 1000 * DAY_MICROS) + DAY_MICROS;
    }
  }
}
