package io.quotatree.redis;

import io.quotatree.core.engine.Events;
import io.quotatree.core.ledger.Later;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.limit.OnFailure;
import io.quotatree.core.memo.RememberingLedger;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Step;
import io.quotatree.core.policy.overlay.OverrideStore;
import io.quotatree.core.ticket.TicketStore;
import io.quotatree.core.time.Moment;
import io.quotatree.core.time.Ticker;
import io.quotatree.redis.fleet.Fleet;
import io.quotatree.redis.servers.EvictionCheck;
import io.quotatree.redis.servers.Store;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The ledger that the gateways of a fleet share, in Redis or Valkey.
 *
 * <p>A decision is one call of one script, whatever the number of its limits: it reads the store's
 * own clock, asks all limits in order, and charges all or nothing, so what several gateways decide
 * is what one would have decided. Decisions, and which permits are left after them, are those of
 * the memory ledger.
 *
 * <p>Permits in flight are renewed by the gateway that holds them, and end by themselves 30 s after
 * the last renewal, when it was killed.
 *
 * <p>Answers come on a thread of the connection's, within the call timeout; a store that does not
 * answer makes decisions {@code unavailable}. A reply that came too late, or was lost, may have
 * cost one charge too many.
 *
 * <p>Safe for use by several threads. Made by {@link #builder}; closed by whoever made it.
 */
public final class RedisLedger implements Ledger, AutoCloseable {

  private final Store store;
  private final Wire wire;
  private final Scripts scripts;
  private final Clock clock;
  private final Policies policies;
  private final Questions questions;
  private final ScheduledExecutorService timer;
  private final Numbering numbering;
  private final Deciding deciding;
  private final OverrideStore overrides;
  private final TicketStore tickets;

  /** Counts what is this gateway's alone; null where the store counts that too. */
  private final @Nullable Ledger local;

  private final Holders holders = new Holders();
  private final Forgettings forgettings;
  private final Amends amends;
  private final Looks looks;
  private final Corrections corrections;
  private final Fallback fallback;

  /** Null where time is virtual: then there is one gateway. */
  private final @Nullable Fleet fleet;

  private final AtomicBoolean isListening = new AtomicBoolean();

  /** Gateways that live, as far as the store told; written by the timer's thread. */
  private volatile int gateways = 1;

  RedisLedger(Parts parts) {
    this.store = parts.store();
    this.clock = parts.clock();
    this.wire = new Wire(parts.clock());
    this.scripts = Scripts.by(parts.clock());
    this.policies = new Policies(parts.prefix());
    this.timer = parts.timer();
    this.local = parts.local();
    this.forgettings = new Forgettings(parts, scripts.amend(), wire, holders.fresh());
    this.amends =
        new Amends(
            store,
            scripts.amend(),
            wire,
            clock.isVirtual() ? RedisLedger::nothing : forgettings::gaveBack);
    this.fallback = new Fallback(parts, holders, amends, this::isWell);
    this.corrections = new Corrections(amends, parts, holders, fallback);
    this.numbering = new Numbering(parts, forgettings.key());
    Probe probe = new Probe(parts, holders.fresh());
    Breakers breakers = new Breakers(parts, new Breakers.Care(probe::ask, fallback::tell));
    this.questions = new Questions(parts, breakers);
    this.deciding =
        new Deciding(
            new Deciding.Tools(
                store,
                scripts.decide(),
                wire,
                questions,
                numbering,
                amends,
                holders,
                corrections,
                fallback,
                this::gateways));
    this.looks = new Looks(store, scripts, wire, questions);
    this.overrides = new RedisOverrides(store, parts.prefix());
    this.tickets = new RedisTickets(parts, amends, this::isAsked);
    store.prepare(scripts.decide());
    store.prepare(scripts.amend());
    this.fleet =
        clock.isVirtual() ? null : new Membership(forgettings, breakers).joined(timer, this::share);
    if (!clock.isVirtual()) {
      new EvictionCheck(store).each(timer);
      long every = clock.holdMicros() / 3;
      Future<?> unused =
          timer.scheduleAtFixedRate(
              () -> renew(Times.STORES_OWN), every, every, TimeUnit.MICROSECONDS);
    }
  }

  /** From now on limits are shared by so many gateways. */
  private void share(int live) {
    gateways = live;
    adoptShare();
  }

  /** Nobody is told where there is one gateway. */
  private static void nothing() {}

  /** What a ledger is put together from. */
  record Parts(
      Store store,
      Clock clock,
      String prefix,
      Questions.Bounds bounds,
      ScheduledExecutorService timer,
      @Nullable Ledger local,
      OnFailure onFailure,
      Events events) {}

  /** A ledger in the making. */
  public static RedisLedgerBuilder builder() {
    return new RedisLedgerBuilder();
  }

  @Override
  public void adopt(Policy policy) {
    Revision revision = policies.adopt(policy);
    adoptShare();
    if (!clock.isVirtual()) {
      CompletionStage<?> unused = numbering.number(revision, Times.STORES_OWN);
    }
  }

  /** The gateway's own ledger knows policies as they hold for this gateway by itself. */
  private synchronized void adoptShare() {
    Policy share = local == null ? null : policies.newestShare(gateways, fallback);
    if (local != null && share != null) {
      local.adopt(share);
    }
  }

  /** The share of a plan's policy. */
  private Policy share(Plan plan) {
    return policies.of(plan.policy()).share(plan.policy(), gateways, fallback);
  }

  private boolean isAsked(byte[] key) {
    return questions.isAsked(key);
  }

  /** What is told while replies are lost would be told again. */
  private boolean isWell(byte[] key) {
    return questions.isWell(key);
  }

  /** Whether all servers are asked that a plan needs. */
  private boolean isAsked(Plan plan, KnownPolicy known) {
    if (questions.areAllAsked()) {
      return true;
    }
    boolean isAsked = known.revision.isKnown() || isAsked(numbering.keys()[0]);
    for (int i = 0; isAsked && i < plan.size(); i++) {
      boolean isShared = local == null || !plan.step(i).isLocal();
      isAsked = !isShared || isAsked(known.key(plan, i));
    }
    return isAsked;
  }

  @Override
  public boolean execute(Plan plan, Moment moment, Verdict verdict, Later later) {
    Ledger own = local;
    int locals = own == null ? 0 : LocalPart.locals(plan);
    if (own != null && locals == plan.size()) {
      plan.use(share(plan));
      return own.execute(plan, moment, verdict, later);
    }
    if (plan.size() == 0) {
      // Nothing of the store is needed, so nothing is uncertain either.
      verdict.begin(plan, moment);
      return true;
    }
    KnownPolicy known = policies.of(plan.policy());
    if (!isAsked(plan, known)) {
      fallback.decide(plan, known, gateways, moment, verdict);
      questions.notAsked(numbering.keys()[0]);
      return true;
    }
    verdict.begin(plan, moment);
    LocalPart part = own == null || locals == 0 ? null : LocalPart.of(own, plan, share(plan));
    if (part != null) {
      part.execute(moment);
    }
    deciding.ask(plan, new Deciding.Asking(known, verdict, part, later, moment));
    return false;
  }

  @Override
  public void release(Plan plan, Verdict verdict) {
    corrections.release(plan, verdict);
  }

  @Override
  public void undo(Plan plan, Verdict verdict, int index) {
    corrections.undo(plan, verdict, index);
  }

  @Override
  public Receipt receipt(Plan plan, Verdict verdict) {
    return corrections.receipt(plan, verdict);
  }

  @Override
  public void release(Receipt receipt, Moment moment) {
    corrections.release(receipt, moment);
  }

  @Override
  public boolean settle(Receipt receipt, Moment moment, long costPermits) {
    return corrections.settle(receipt, moment, costPermits);
  }

  @Override
  public boolean peek(Plan plan, Moment moment, Verdict verdict, Later later) {
    Ledger own = local;
    int locals = own == null ? 0 : LocalPart.locals(plan);
    if (own != null && locals == plan.size()) {
      plan.use(share(plan));
      return own.peek(plan, moment, verdict, later);
    }
    verdict.begin(plan, moment);
    if (plan.size() == 0) {
      return true;
    }
    LocalPart part = own == null || locals == 0 ? null : LocalPart.of(own, plan, share(plan));
    if (part != null) {
      part.peek(moment);
    }
    Asked asked = new Asked(plan, policies.of(plan.policy()), part, Asked.Ask.ABOUT);
    looks.peek(plan, verdict, later, asked, Times.of(moment));
    return false;
  }

  @Override
  public boolean reset(Plan plan, Moment moment, Verdict verdict, Later later) {
    Ledger own = local;
    int locals = own == null ? 0 : LocalPart.locals(plan);
    if (own != null && locals == plan.size()) {
      plan.use(share(plan));
      return own.reset(plan, moment, verdict, later);
    }
    verdict.begin(plan, moment);
    verdict.emptied(0);
    if (plan.size() == 0) {
      return true;
    }
    LocalPart part = own == null || locals == 0 ? null : LocalPart.of(own, plan, share(plan));
    int emptied = part == null ? 0 : part.reset(moment);
    Asked asked = new Asked(plan, policies.of(plan.policy()), part, Asked.Ask.ABOUT);
    looks.reset(verdict, emptiedEverywhere(verdict, later), asked, Times.of(moment), emptied);
    return false;
  }

  /** Counters are emptied when nobody remembers any more that they were full. */
  private Later emptiedEverywhere(Verdict verdict, Later later) {
    if (clock.isVirtual()) {
      return later;
    }
    return () -> {
      CompletionStage<?> unused =
          forgettings
              .tellAll()
              .whenComplete(
                  (told, failure) -> {
                    if (failure != null) {
                      verdict.unavailable();
                    }
                    later.answered();
                  });
    };
  }

  /** The store drops keys itself; what is this gateway's own is dropped here. */
  @Override
  public void tidy(Moment moment) {
    if (local != null) {
      local.tidy(moment);
    }
  }

  /** Renews all permits in flight that this gateway holds. */
  void renew(Times times) {
    holders.each(this::isAsked, (keys, ofHolders) -> amends.renew(keys, ofHolders, times));
  }

  /**
   * This ledger with a memory of what it refused, which forgets what any gateway of the fleet says
   * is to be forgotten. For one memory, and as long as this ledger is open.
   *
   * @param ticker measures what has passed
   */
  public RememberingLedger remembering(Ticker ticker) {
    RememberingLedger memory = new RememberingLedger(this, ticker, this::isGivenBackAtOnce);
    if (fleet != null) {
      forgettings.tellTo(memory, ticker);
      listen();
    }
    return memory;
  }

  /** In a cluster, what a refused request charged in others' slots is given back. */
  private boolean isGivenBackAtOnce(Step step) {
    return store.isSpread() && !step.isOwn();
  }

  /**
   * From now on this is run where another gateway may have changed overrides, on a thread that must
   * not wait.
   */
  public void whenChanged(Runnable run) {
    forgettings.whenChanged(run);
    listen();
  }

  Forgettings forgettings() {
    return forgettings;
  }

  private void listen() {
    Fleet announcing = fleet;
    if (announcing != null && isListening.compareAndSet(false, true)) {
      store.listen(forgettings.key(), announcing::announceNow);
    }
  }

  /** Overrides that the fleet has in common, in the same store; as long as this ledger is open. */
  public OverrideStore overrides() {
    return overrides;
  }

  /** What decisions' ids stand for, for every gateway that shares the store. */
  public TicketStore tickets() {
    return tickets;
  }

  /** How the store is, as far as the last question shows. */
  public StoreState state() {
    return questions.state();
  }

  /** Requests that hold permits in flight in the store for this gateway. */
  public int holding() {
    return holders.size();
  }

  /** Gateways that share the store, this one included, as far as the store told last. */
  public int gateways() {
    return gateways;
  }

  /** Leaves the fleet and ends the connection. Permits in flight end by themselves. */
  @Override
  public void close() {
    if (fleet != null) {
      fleet.close();
    }
    timer.shutdownNow();
    store.close();
  }
}
