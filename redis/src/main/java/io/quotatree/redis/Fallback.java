package io.quotatree.redis;

import io.quotatree.core.engine.Events;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.time.Moment;
import io.quotatree.redis.failover.Account;
import io.quotatree.redis.failover.Failover;
import io.quotatree.redis.failover.Fallen;
import io.quotatree.redis.servers.Script;
import io.quotatree.redis.servers.Store;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins what is decided without the store to the store: finds the counters there, tells it of what
 * was granted as soon as it is back, and of the permits in flight that are held since.
 */
final class Fallback {

  private static final Logger LOG = LoggerFactory.getLogger(Fallback.class);

  /** As many as the connection takes at once beside the questions that are under way. */
  private static final int TOLD_AT_ONCE = 5_000;

  private static final long TELL_EVERY_MILLIS = 50;

  private final Failover failover;
  private final Store store;
  private final Wire wire;
  private final Script amend;
  private final Amends amends;
  private final Holders holders;
  private final ScheduledExecutorService timer;
  private final Predicate<byte[]> isWell;
  private final Events events;

  /** True while somebody is to tell the store; whoever sets it has to see to that. */
  private final AtomicBoolean armed = new AtomicBoolean();

  /**
   * A fallback that was not needed yet.
   *
   * @param isWell whether the server that has a key answers
   */
  Fallback(RedisLedger.Parts parts, Holders holders, Amends amends, Predicate<byte[]> isWell) {
    this.failover = new Failover(parts.local(), parts.onFailure());
    this.isWell = isWell;
    this.events = parts.events();
    this.store = parts.store();
    this.wire = new Wire(parts.clock());
    this.amend = Scripts.by(parts.clock()).amend();
    this.amends = amends;
    this.holders = holders;
    this.timer = parts.timer();
  }

  /**
   * What was taken of the gateway's own ledger.
   *
   * @param holder of the permits in flight that go with it
   * @param keys the counters in the store that do not know of these yet
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Taken(Fallen fallen, KnownPolicy known, byte[] holder, byte[][] keys) {}

  /**
   * What a receipt keeps of such a request.
   *
   * @param local of the gateway's own ledger
   * @param accounts the counters in the store that its cost belongs to
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Kept(Receipt local, byte[] holder, byte[][] keys, Account[] accounts) {}

  /** A policy as this gateway enforces it by itself. */
  Policy share(Policy policy, int gateways) {
    return failover.share(policy, gateways);
  }

  /** Follows a decision of the store's. */
  void follow(Plan plan, Verdict verdict, Moment moment, long aheadMicros) {
    failover.follow(plan, verdict, moment, aheadMicros);
  }

  /** Decides a plan that the store gave no answer to. */
  void decide(Plan plan, KnownPolicy known, int gateways, Moment moment, Verdict verdict) {
    Fallen fallen =
        failover.decide(
            plan,
            known.share(plan.policy(), gateways, this),
            moment,
            verdict,
            index -> account(known, plan, index));
    events.fellBack(failover.way(plan));
    if (fallen == null) {
      return;
    }
    byte[] holder = Wire.NO_HOLDER;
    byte[][] keys =
        IntStream.of(fallen.holding())
            .mapToObj(index -> known.key(plan, index))
            .toArray(byte[][]::new);
    if (keys.length > 0) {
      holder = holders.fresh();
      holders.holdUntold(holder, keys);
    }
    verdict.scratch(new Taken(fallen, known, holder, keys));
    tellLater();
  }

  /** The counter of a limit in the store. */
  private Account account(KnownPolicy known, Plan plan, int index) {
    byte[] key = known.key(plan, index);
    byte[] record = known.record(plan.step(index), plan);
    return new Account() {
      @Override
      public byte[] key() {
        return key;
      }

      @Override
      public CompletionStage<?> charge(long permits) {
        long revision = known.revision.numberOrOldest();
        return orLater(
            store.call(
                amend,
                new byte[][] {key},
                wire.charge(record, permits, revision, Times.STORES_OWN)));
      }
    };
  }

  /** What the store does not take is told again, even where nobody falls back meanwhile. */
  private CompletionStage<?> orLater(CompletionStage<?> telling) {
    return telling.whenComplete(
        (taken, failure) -> {
          if (failure != null) {
            tellLater();
          }
        });
  }

  private void tellLater() {
    if (armed.compareAndSet(false, true) && !timer.isShutdown()) {
      Future<?> unused = timer.schedule(this::tellThose, TELL_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Tells all servers that answer. */
  private void tellThose() {
    armed.set(false);
    tell(isWell);
    if (failover.owes() || holders.hasUntold()) {
      tellLater();
    }
  }

  /**
   * Tells the store what it is owed. Called before the first question after a failure, so that it
   * is answered by what was granted meanwhile.
   *
   * @param some the counters that are told of, by their keys: a server that is gone takes nothing
   */
  void tell(Predicate<byte[]> some) {
    try {
      failover.tell(TOLD_AT_ONCE, some);
      holders.eachUntold(
          some,
          (holder, keys) -> orLater(amends.enter(holder, keys, Times.STORES_OWN)),
          (holder, keys) -> amends.release(holder, keys, Times.STORES_OWN));
    } catch (RuntimeException e) {
      LOG.error("what was granted without the store cannot be told to it", e);
    }
  }

  /** Gives back what such a request holds in flight. */
  void release(Taken taken) {
    taken.fallen().release();
    end(taken.holder(), taken.keys());
  }

  private void end(byte[] holder, byte[][] keys) {
    if (keys.length > 0) {
      holders.end(holder);
      amends.release(holder, keys, Times.STORES_OWN);
    }
  }

  /** What a receipt of such a request keeps. */
  Kept kept(Plan plan, Verdict verdict, Taken taken) {
    Account[] accounts =
        IntStream.range(0, plan.size())
            .filter(i -> !verdict.refuses(i))
            .filter(i -> !plan.step(i).isLocal() && !plan.step(i).isInFlight())
            .mapToObj(i -> account(taken.known(), plan, i))
            .toArray(Account[]::new);
    return new Kept(taken.fallen().receipt(), taken.holder(), taken.keys(), accounts);
  }

  void release(Kept kept, Ledger local, Moment moment) {
    local.release(kept.local(), moment);
    end(kept.holder(), kept.keys());
  }

  /**
   * Replaces a cost by the true one. The store was told of the first when it came back: what is
   * more is charged there, and what is less stays charged.
   */
  void settle(Kept kept, Ledger local, Moment moment, long costPermits) {
    long more = costPermits - kept.local().costPermits();
    boolean isAnyAway = false;
    for (Account account : kept.accounts()) {
      if (!isWell.test(account.key())) {
        isAnyAway = true;
      } else if (more > 0) {
        account.charge(more);
      }
    }
    if (isAnyAway) {
      // Of counters that are not away it knows nothing any more, or too much.
      local.settle(kept.local(), moment, costPermits);
    }
  }
}
