package io.quotatree.redis;

import io.quotatree.core.ledger.Later;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.overlay.OverrideStore;
import io.quotatree.core.ticket.TicketStore;
import io.quotatree.core.time.Moment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
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
  private final Script.Both scripts;
  private final Clock clock;
  private final Policies policies;
  private final Questions questions;
  private final ScheduledExecutorService timer;
  private final byte[][] revisionKey;
  private final OverrideStore overrides;
  private final TicketStore tickets;

  /** Counts what is this gateway's alone; null where the store counts that too. */
  private final @Nullable Ledger local;

  private final Holders holders = new Holders();
  private final Corrections corrections;

  RedisLedger(Parts parts) {
    this.store = parts.store();
    this.clock = parts.clock();
    this.wire = new Wire(parts.clock());
    this.scripts = Script.Both.by(parts.clock());
    this.policies = new Policies(parts.prefix());
    this.timer = parts.timer();
    this.local = parts.local();
    this.corrections = new Corrections(store, clock, holders, local);
    this.revisionKey =
        new byte[][] {(parts.prefix() + ":1:{node}:revision").getBytes(StandardCharsets.UTF_8)};
    this.overrides = new RedisOverrides(store, parts.prefix());
    this.tickets =
        new RedisTickets(store, corrections, parts.prefix(), parts.bounds().timeoutNanos());
    this.questions = new Questions(store, parts.bounds(), timer, this::probe);
    store.prepare(scripts.decide());
    store.prepare(scripts.amend());
    if (!clock.isVirtual()) {
      long every = clock.holdMicros() / 3;
      Future<?> unused =
          timer.scheduleAtFixedRate(
              () -> renew(Times.STORES_OWN), every, every, TimeUnit.MICROSECONDS);
    }
  }

  /** What has to be taken back of a late answer that holds nothing. */
  private static void nothing() {}

  /** What a ledger is put together from. */
  record Parts(
      Store store,
      Clock clock,
      String prefix,
      Questions.Bounds bounds,
      ScheduledExecutorService timer,
      @Nullable Ledger local) {}

  /** A ledger in the making. */
  public static RedisLedgerBuilder builder() {
    return new RedisLedgerBuilder();
  }

  @Override
  public void adopt(Policy policy) {
    if (local != null) {
      local.adopt(policy);
    }
    Revision revision = policies.adopt(policy);
    if (!clock.isVirtual()) {
      CompletionStage<?> unused = number(revision, Times.STORES_OWN);
    }
  }

  private CompletableFuture<Long> number(Revision revision, Times times) {
    return revision.asked(
        () ->
            store
                .call(scripts.amend(), revisionKey, wire.revision(revision.fingerprint, times))
                .thenApply(text -> Long.parseLong(new String(text, StandardCharsets.US_ASCII))));
  }

  @Override
  public boolean execute(Plan plan, Moment moment, Verdict verdict, Later later) {
    Ledger own = local;
    if (own != null && LocalPart.locals(plan) == plan.size()) {
      return own.execute(plan, moment, verdict, later);
    }
    verdict.begin(plan, moment);
    if (plan.size() == 0) {
      return true;
    }
    LocalPart part = LocalPart.of(own, plan);
    if (part == null) {
      execute(plan, Times.of(moment), new Asking(verdict, null, later));
      return false;
    }
    part.execute(moment);
    Later whole =
        () -> {
          part.endWith(plan, verdict);
          later.answered();
        };
    execute(plan, Times.of(moment), new Asking(verdict, part, whole));
    return false;
  }

  /** Who is to be told, and of what that was asked elsewhere. */
  private record Asking(Verdict verdict, @Nullable LocalPart local, Later later) {}

  private void execute(Plan plan, Times times, Asking asking) {
    KnownPolicy known = policies.of(plan.policy());
    if (known.revision.isKnown()) {
      decide(plan, known, times, asking);
      return;
    }
    // Whoever comes first after a start waits for the revision too, but no longer than for that.
    Question wait =
        questions.begin(asking.verdict(), asking.later(), reply -> {}, RedisLedger::nothing);
    if (!questions.take(wait)) {
      return;
    }
    CompletionStage<?> unused =
        number(known.revision, times)
            .whenComplete(
                (number, failure) -> {
                  if (failure != null) {
                    questions.failed(wait, failure);
                  } else if (wait.handOver()) {
                    decide(plan, known, times, asking);
                  }
                });
  }

  /** Any question will do, but for the one that decisions depend on the most. */
  private CompletionStage<?> probe() {
    return store.call(
        scripts.amend(),
        revisionKey,
        wire.revision(policies.newest().fingerprint, Times.STORES_OWN));
  }

  private void decide(Plan plan, KnownPolicy known, Times times, Asking asking) {
    Verdict verdict = asking.verdict();
    byte[] holder = Asked.mayHold(plan) ? holders.fresh() : Wire.NO_HOLDER;
    Asked asked =
        new Asked(plan, known, asking.local(), new Asked.Ask(holder, known.revision.number()));
    verdict.scratch(asked);
    Question question =
        questions.begin(
            verdict,
            asking.later(),
            reply -> decided(reply, plan, verdict, asked),
            asked.mayHold ? () -> releaseAll(asked, times) : RedisLedger::nothing);
    questions.ask(
        question, scripts.decide(), asked.keys, wire.decide(asked, plan.costPermits(), times));
  }

  private void decided(byte[] reply, Plan plan, Verdict verdict, Asked asked) {
    new Reply(reply, plan, verdict).decided(asked);
    byte[][] held = Corrections.held(plan, verdict, asked);
    if (held.length > 0) {
      holders.hold(asked.holder, held);
    }
  }

  /** The reply came too late for anybody to use what was granted. */
  private void releaseAll(Asked asked, Times times) {
    byte[][] keys =
        IntStream.range(0, asked.keys.length)
            .filter(i -> asked.isInFlight[i])
            .mapToObj(i -> asked.keys[i])
            .toArray(byte[][]::new);
    corrections.release(asked.holder, keys, times);
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
    if (own != null && LocalPart.locals(plan) == plan.size()) {
      return own.peek(plan, moment, verdict, later);
    }
    verdict.begin(plan, moment);
    if (plan.size() == 0) {
      return true;
    }
    LocalPart part = LocalPart.of(own, plan);
    if (part != null) {
      part.peek(moment);
    }
    Asked asked = new Asked(plan, policies.of(plan.policy()), part, Asked.Ask.ABOUT);
    Consumer<byte[]> reading = reply -> new Reply(reply, plan, verdict).looked(asked);
    questions.ask(
        questions.begin(verdict, later, reading, RedisLedger::nothing),
        scripts.decide(),
        asked.keys,
        wire.look(asked, Times.of(moment)));
    return false;
  }

  @Override
  public boolean reset(Plan plan, Moment moment, Verdict verdict, Later later) {
    Ledger own = local;
    if (own != null && LocalPart.locals(plan) == plan.size()) {
      return own.reset(plan, moment, verdict, later);
    }
    verdict.begin(plan, moment);
    verdict.emptied(0);
    if (plan.size() == 0) {
      return true;
    }
    LocalPart part = LocalPart.of(own, plan);
    int emptied = part == null ? 0 : part.reset(moment);
    Asked asked = new Asked(plan, policies.of(plan.policy()), part, Asked.Ask.ABOUT);
    Consumer<byte[]> reading =
        reply ->
            verdict.emptied(
                emptied + Integer.parseInt(new String(reply, StandardCharsets.US_ASCII)));
    int[] shared = asked.shared();
    questions.ask(
        questions.begin(verdict, later, reading, RedisLedger::nothing),
        scripts.amend(),
        IntStream.of(shared).mapToObj(i -> asked.keys[i]).toArray(byte[][]::new),
        wire.reset(asked, shared, Times.of(moment)));
    return false;
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
    holders.each(
        (keys, ofHolders) -> store.call(scripts.amend(), keys, wire.renew(ofHolders, times)));
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

  /** Ends the connection. Permits in flight end by themselves. */
  @Override
  public void close() {
    timer.shutdownNow();
    store.close();
  }
}
