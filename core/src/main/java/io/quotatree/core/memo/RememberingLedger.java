package io.quotatree.core.memo;

import io.quotatree.core.ledger.Later;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.time.Moment;
import io.quotatree.core.time.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A shared ledger whose refusals are told again, without asking it, until the wait is over: a
 * second at most, since by then others may have given permits back, emptied the counter or changed
 * the quotas. What this gateway itself changes is forgotten at once.
 *
 * <p>A request is answered from memory only where its limits, their counters and its cost are those
 * of the one that was refused. What was refused stays refused until the wait is over, whatever
 * others charge meanwhile; so nobody is refused longer than by the ledger, refunds within that
 * second excepted.
 *
 * <p>The table has a fixed size; of two refusals at one place the later stays. Safe for use by
 * several threads.
 */
public final class RememberingLedger implements Ledger {

  /** How long a refusal is remembered at most. */
  public static final Duration MOST = Duration.ofSeconds(1);

  private static final int PLACES = 1 << 14;
  private static final long MOST_NANOS = MOST.toNanos();

  private final Ledger ledger;
  private final Ticker ticker;

  /** Each place is written and read by any thread; a stale one is only asked or told once more. */
  private final AtomicReferenceArray<@Nullable Refusal> table = new AtomicReferenceArray<>(PLACES);

  /** Counted up to forget all; a refusal that was asked before has the number of then. */
  private final AtomicInteger epoch = new AtomicInteger();

  private final LongAdder told = new LongAdder();

  /**
   * A ledger with a memory.
   *
   * @param ledger is asked
   * @param ticker measures what has passed
   */
  public RememberingLedger(Ledger ledger, Ticker ticker) {
    this.ledger = ledger;
    this.ticker = ticker;
  }

  /** How many refusals were told without asking. */
  public long told() {
    return told.sum();
  }

  /** Forgets all refusals: for whoever gave permits back past this ledger. */
  public void forget() {
    epoch.incrementAndGet();
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
    int current = epoch.get();
    Refusal remembered = table.getAcquire(place);
    if (remembered != null && remembered.isOf(plan, nowNanos, current)) {
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
            new Refusal.Times(askedNanos, ticker.monotonicNanos(), MOST_NANOS, current));
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
