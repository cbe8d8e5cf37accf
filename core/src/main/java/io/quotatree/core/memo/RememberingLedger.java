package io.quotatree.core.memo;

import io.quotatree.core.ledger.Later;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Step;
import io.quotatree.core.time.Moment;
import io.quotatree.core.time.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A shared ledger whose refusals are told again, without asking it, until the wait is over.
 *
 * <p>A request is answered from memory only where its limits, their counters and its cost are those
 * of the one that was refused. What was refused stays refused until the wait is over, whatever
 * others charge meanwhile. It ends before where a counter is emptied, quotas are replaced or
 * permits given back: what this gateway does of that it forgets at once, and what others do it has
 * to be told, by {@link #forget}.
 *
 * <p>Since that may be lost, nothing is told that is older than a second, unless somebody has
 * looked since and {@link #confirm}s that it stands:
 *
 * <pre>
 *     asked ──1 s──┤
 *             look ──1 s──┤
 *                    look ──1 s──┤ …   and to the end of the wait, as long as looks come in time
 * </pre>
 *
 * <p>So nobody is refused longer than by the ledger, but for a second after such a change.
 *
 * <p>The table has a fixed size; of two refusals at one place the later stays. Safe for use by
 * several threads.
 */
public final class RememberingLedger implements Ledger {

  /** How long a refusal is told that nobody confirms. */
  public static final Duration MOST = Duration.ofSeconds(1);

  static final long MOST_NANOS = MOST.toNanos();
  private static final int PLACES = 1 << 14;

  private final Ledger ledger;
  private final Ticker ticker;
  private final Predicate<Step> passing;

  /** Each place is written and read by any thread; a stale one is only asked or told once more. */
  private final AtomicReferenceArray<@Nullable Refusal> table = new AtomicReferenceArray<>(PLACES);

  /** Counted up to forget all; a refusal that was asked before has the number of then. */
  private final AtomicInteger epoch = new AtomicInteger();

  /** Replaced by whoever looked; a stale one is older, and confirms less. */
  private volatile Confirmed confirmed;

  private final LongAdder told = new LongAdder();

  /**
   * Until when it was seen that what is remembered stands.
   *
   * @param nanos but for refunds
   * @param withoutRefundsNanos without any
   */
  record Confirmed(long nanos, long withoutRefundsNanos) {}

  /** Whether permits are given back these seconds, somewhere. */
  public enum Refunds {
    /** None are: the first one would be told. */
    NONE,
    /** Any may be, and nobody is told of each. */
    EXPECTED
  }

  /**
   * A ledger with a memory.
   *
   * @param ledger is asked
   * @param ticker measures what has passed
   * @param passing whether refusals by a limit may be over at any moment, and nobody is told: they
   *     are remembered for a second at most
   */
  public RememberingLedger(Ledger ledger, Ticker ticker, Predicate<Step> passing) {
    this.ledger = ledger;
    this.ticker = ticker;
    this.passing = passing;
    long never = ticker.monotonicNanos() - MOST_NANOS;
    this.confirmed = new Confirmed(never, never);
  }

  /** How many refusals were told without asking. */
  public long told() {
    return told.sum();
  }

  /** How often all was forgotten. */
  public long forgotten() {
    return Integer.toUnsignedLong(epoch.get());
  }

  /**
   * Forgets all refusals, those too that are asked and not answered yet: for whoever learns of what
   * may have ended them.
   */
  public void forget() {
    epoch.incrementAndGet();
  }

  /**
   * Somebody has looked: but for refunds, nothing happened up to a time that was not forgotten.
   *
   * @param asOfNanos the time, by this ledger's ticker, when the look began
   * @param refunds whether that holds for refunds too
   */
  public synchronized void confirm(long asOfNanos, Refunds refunds) {
    long unrefundedNanos = refunds == Refunds.NONE ? asOfNanos : confirmed.withoutRefundsNanos();
    confirmed = new Confirmed(asOfNanos, unrefundedNanos);
  }

  @Override
  public void adopt(Policy policy) {
    ledger.adopt(policy);
    forget();
  }

  @Override
  public boolean execute(Plan plan, Moment moment, Verdict verdict, Later later) {
    long nowNanos = ticker.monotonicNanos();
    int place = Refusal.place(plan, PLACES - 1);
    // In this order: whoever looked has forgotten before he confirms.
    Confirmed lately = confirmed;
    int current = epoch.get();
    Refusal remembered = table.getAcquire(place);
    if (remembered != null
        && remembered.stands(nowNanos, lately)
        && remembered.isOf(plan, current)) {
      remembered.tell(plan, moment, verdict, nowNanos);
      told.increment();
      return true;
    }
    return ledger.execute(
        plan,
        moment,
        verdict,
        () -> {
          if (verdict.isRefused()) {
            remember(plan, verdict, nowNanos, current);
          }
          later.answered();
        });
  }

  private void remember(Plan plan, Verdict verdict, long askedNanos, int current) {
    Refusal refusal =
        Refusal.of(
            plan,
            verdict,
            new Refusal.Times(askedNanos, ticker.monotonicNanos(), current),
            passing);
    if (refusal != null) {
      table.setRelease(Refusal.place(plan, PLACES - 1), refusal);
    }
  }

  @Override
  public void undo(Plan plan, Verdict verdict, int index) {
    ledger.undo(plan, verdict, index);
  }

  @Override
  public void release(Plan plan, Verdict verdict) {
    ledger.release(plan, verdict);
  }

  @Override
  public Receipt receipt(Plan plan, Verdict verdict) {
    return ledger.receipt(plan, verdict);
  }

  @Override
  public void release(Receipt receipt, Moment moment) {
    ledger.release(receipt, moment);
  }

  @Override
  public boolean settle(Receipt receipt, Moment moment, long costPermits) {
    boolean settled = ledger.settle(receipt, moment, costPermits);
    if (settled && costPermits < receipt.costPermits()) {
      forget();
    }
    return settled;
  }

  @Override
  public boolean peek(Plan plan, Moment moment, Verdict verdict, Later later) {
    return ledger.peek(plan, moment, verdict, later);
  }

  /** Forgets before it asks, and once more after: what is asked in between may be told before. */
  @Override
  public boolean reset(Plan plan, Moment moment, Verdict verdict, Later later) {
    forget();
    boolean isNow =
        ledger.reset(
            plan,
            moment,
            verdict,
            () -> {
              forget();
              later.answered();
            });
    if (isNow) {
      forget();
    }
    return isNow;
  }

  @Override
  public void tidy(Moment moment) {
    ledger.tidy(moment);
  }
}
