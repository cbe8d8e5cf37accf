package io.quotatree.redis.failover;

import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.limit.Certainty;
import io.quotatree.core.limit.OnFailure;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Step;
import io.quotatree.core.time.Moment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides without the store: each quota by its {@code on_failure}.
 *
 * <p><b>The bound.</b> A gateway grants of each limit no more than its share of it in a period, so
 * all together grant at most the limit, or one permit a gateway where that is more. Each begins
 * with its share of what the store told last of the counter. In the period of the failure the store
 * itself may have granted the whole limit besides.
 *
 * <p><b>Afterwards.</b> What was granted and still counts is charged to the store, past the limit
 * if need be, before this gateway asks it again. A gateway's own counter never holds more than its
 * share, so that is one limit's worth of all gateways together. A counter that was told of begins
 * anew, from what was told, when the store fails again.
 *
 * <p>The counters that something may be owed for are bounded in number: those that the quotas name
 * have a place in any case; of callers, users and their like so many, and the store is not told of
 * others.
 *
 * <p>Safe for use by several threads.
 */
public final class Failover {

  /** Counters of callers and users that the store is told of. */
  private static final int MOST_OF_SUBJECTS = 20_000;

  /** Counters that are told of while decisions wait: microseconds. */
  private static final int AT_ONCE = 100;

  private record Key(long key1, long key2) {}

  private final @Nullable Ledger local;
  private final OnFailure usual;
  private final LastUses uses = new LastUses();
  private final Map<Key, Owed> owed = new ConcurrentHashMap<>();

  /** Decisions share it; who tells the store of counters and empties them holds it alone. */
  private final ReadWriteLock telling = new ReentrantReadWriteLock();

  /**
   * By how much the store's clock is ahead of this gateway's, so that windows go on as they are.
   * Any thread writes it, from the last reply; milliseconds to and fro do no harm.
   */
  private volatile long storeAheadMicros;

  /** The last decision's time, by which time goes on. */
  private volatile @Nullable Moment latest;

  /**
   * Nothing has failed yet.
   *
   * @param local the gateway's own ledger, which answers at once and only knows {@link #share}s of
   *     policies; null for none: then what should be decided locally cannot be
   * @param usual what becomes of quotas that do not say
   */
  public Failover(@Nullable Ledger local, OnFailure usual) {
    this.local = local;
    this.usual = usual;
  }

  /** A policy as one of so many gateways enforces it by itself; steps keep their ordinals. */
  public Policy share(Policy policy, int gateways) {
    Shares shares = new Shares(gateways, usual);
    return policy.withEachShared(shares::of);
  }

  /**
   * Follows a decision of the store's, to know where to begin. Costs a few words of memory a limit.
   *
   * @param aheadMicros by how much the store's time is ahead of the moment's
   */
  public void follow(Plan plan, Verdict verdict, Moment moment, long aheadMicros) {
    if (local == null) {
      return;
    }
    long now = moment.monotonicMicros();
    for (int i = 0; i < plan.size(); i++) {
      Step step = plan.step(i);
      if (!step.isLocal() && !step.isInFlight()) {
        long used = step.algorithm().capacityPermits() - verdict.remaining(plan, i);
        uses.saw(plan.key1(i), plan.key2(i), used, now);
      }
    }
    storeAheadMicros = aheadMicros;
  }

  /** What decides a plan: of its quotas' ways the one that counts most. */
  public OnFailure way(Plan plan) {
    OnFailure way = OnFailure.OPEN;
    for (int i = 0; i < plan.size(); i++) {
      Step step = plan.step(i);
      if (step.isShadow() || (local != null && step.isLocal())) {
        continue;
      }
      OnFailure own = step.quota().onFailure().orElse(usual);
      if (own == OnFailure.CLOSED || (own == OnFailure.LOCAL && local == null)) {
        return OnFailure.CLOSED;
      }
      way = own == OnFailure.LOCAL ? own : way;
    }
    return way;
  }

  /**
   * Decides a plan.
   *
   * @param share the plan's policy, as this gateway's {@link #share}
   * @param asked when it was asked
   * @param verdict is filled
   * @param accounts of the plan's limits in the store; asked for those that were not met yet
   * @return what was taken of the gateway's own ledger; null for nothing
   */
  public @Nullable Fallen decide(
      Plan whole, Policy share, Moment asked, Verdict verdict, IntFunction<Account> accounts) {
    verdict.begin(whole, asked);
    verdict.sure(Certainty.FALLBACK);
    Ledger own = local;
    if (way(whole) == OnFailure.CLOSED) {
      verdict.unavailable();
      return null;
    }
    if (own == null) {
      grantAll(whole, verdict);
      return null;
    }
    long passed = Math.max(0, asked.elapsedMicros());
    Moment now = asked.movedBy(passed, passed + storeAheadMicros);
    Plan plan = whole.copy();
    plan.use(share);
    Fallen fallen = new Fallen(own, plan);
    telling.readLock().lock();
    try {
      @Nullable Owed[] met = meet(own, whole, plan, now, accounts);
      fallen.execute(now);
      for (int i = 0; i < met.length; i++) {
        Owed counter = met[i];
        if (counter != null) {
          counter.endsMicros = now.monotonicMicros() + fallen.resetMicros(i);
        }
      }
    } finally {
      telling.readLock().unlock();
    }
    latest = now;
    fallen.tell(whole, verdict);
    return fallen;
  }

  private static void grantAll(Plan plan, Verdict verdict) {
    for (int i = 0; i < plan.size(); i++) {
      verdict.left(i, plan.step(i).algorithm().capacityPermits(), 0);
      verdict.grant(i);
    }
  }

  /** Sees to it that each counter begins where the store stood, and is told of later. */
  private @Nullable Owed[] meet(
      Ledger own, Plan whole, Plan plan, Moment now, IntFunction<Account> accounts) {
    @Nullable Owed[] met = new Owed[plan.size()];
    for (int i = 0; i < met.length; i++) {
      Step step = plan.step(i);
      if (step.isLocal() || step.isInFlight()) {
        continue;
      }
      Key key = new Key(plan.key1(i), plan.key2(i));
      Owed known = owed.get(key);
      if (known == null && (!step.isUnbounded() || hasRoom(now))) {
        int index = i;
        long full = whole.step(i).algorithm().capacityPermits();
        known =
            owed.computeIfAbsent(
                key, k -> begun(own, plan.only(index, 1), full, accounts.apply(index), now));
      }
      met[i] = known;
    }
    return met;
  }

  private boolean hasRoom(Moment now) {
    if (owed.size() >= MOST_OF_SUBJECTS) {
      owed.values().removeIf(counter -> counter.endsMicros < now.monotonicMicros());
    }
    return owed.size() < MOST_OF_SUBJECTS;
  }

  /** A counter that begins with its share of what was used when the store told of it last. */
  private Owed begun(Ledger own, Plan one, long full, Account account, Moment now) {
    long use = uses.find(one.key1(0), one.key2(0));
    long share = one.step(0).algorithm().capacityPermits();
    // Grants round down, so what is used rounds up; both are at most 10^9, so the product fits.
    long permits = Math.min(share, (LastUses.usedPermits(use) * share + full - 1) / full);
    Moment then = now;
    if (permits > 0) {
      long age = LastUses.ageMicros(use, now.monotonicMicros());
      then = now.movedBy(-age, -age);
      new Fallen(own, one.only(0, permits)).execute(then);
    }
    return new Owed(one, full, account, new Owed.Beginning(permits, then));
  }

  /** Whether the store may be owed something. */
  public boolean owes() {
    return !owed.isEmpty();
  }

  /**
   * Charges the store what was granted without it, of so many counters at most, and begins anew
   * with these. What the store does not take is owed again. Waits for nobody: whatever this gateway
   * asks through the same connection afterwards finds it done.
   *
   * @param some counters that are told of, by their keys; the others stay owed
   */
  public void tell(int most, Predicate<byte[]> some) {
    Ledger own = local;
    if (own == null || latest == null) {
      return;
    }
    List<Map.Entry<Key, Owed>> batch = new ArrayList<>(AT_ONCE);
    Iterator<Map.Entry<Key, Owed>> counters = owed.entrySet().iterator();
    for (int told = 0; told < most && counters.hasNext(); ) {
      Map.Entry<Key, Owed> counter = counters.next();
      if (some.test(counter.getValue().account.key())) {
        batch.add(counter);
        told++;
      }
      if (batch.size() == AT_ONCE || !counters.hasNext() || told == most) {
        tell(own, batch);
        batch.clear();
      }
    }
  }

  private void tell(Ledger own, List<Map.Entry<Key, Owed>> counters) {
    Moment last = latest;
    if (counters.isEmpty() || last == null) {
      return;
    }
    telling.writeLock().lock();
    try {
      long passed = Math.max(0, last.elapsedMicros());
      Moment now = last.movedBy(passed, passed);
      for (Map.Entry<Key, Owed> counter : counters) {
        if (owed.remove(counter.getKey(), counter.getValue())) {
          tell(own, counter.getKey(), counter.getValue(), now);
        }
      }
    } finally {
      telling.writeLock().unlock();
    }
  }

  private void tell(Ledger own, Key key, Owed counter, Moment now) {
    Verdict standing = new Verdict();
    Fallen.requireNow(own.peek(counter.plan, now, standing, Fallen.NEVER_LATER));
    long used = counter.sharePermits - standing.remaining(counter.plan, 0);
    long permits = counter.permits(used, standing.resetMicros(counter.plan, 0), now);
    Fallen.requireNow(own.reset(counter.plan, now, new Verdict(), Fallen.NEVER_LATER));
    // What the store would say, as far as this gateway can tell.
    long whole = (used * counter.fullPermits + counter.sharePermits - 1) / counter.sharePermits;
    uses.saw(key.key1(), key.key2(), whole, now.monotonicMicros());
    if (permits > 0) {
      CompletionStage<?> unused =
          counter
              .account
              .charge(permits)
              .whenComplete(
                  (taken, failure) -> {
                    if (failure != null) {
                      owe(own, key, counter, permits);
                    }
                  });
    }
  }

  /** The store failed again before it took what it is owed. */
  private void owe(Ledger own, Key key, Owed counter, long permits) {
    Moment last = latest;
    if (last == null) {
      return;
    }
    telling.writeLock().lock();
    try {
      long passed = Math.max(0, last.elapsedMicros());
      Moment now = last.movedBy(passed, passed);
      owed.computeIfAbsent(
              key, k -> begun(own, counter.plan, counter.fullPermits, counter.account, now))
          .isOwedMore(permits);
    } finally {
      telling.writeLock().unlock();
    }
  }
}
