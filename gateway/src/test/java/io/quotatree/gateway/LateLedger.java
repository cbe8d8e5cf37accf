package io.quotatree.gateway;

import io.quotatree.core.ledger.Later;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.time.Moment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A ledger that answers decisions later, on a thread of its own: as one that asks a store does. */
final class LateLedger implements Ledger, AutoCloseable {

  private final Ledger ledger;
  private final Queue<Later> waiting = new ConcurrentLinkedQueue<>();
  private final ExecutorService thread = Executors.newSingleThreadExecutor(LateLedger::named);
  private volatile boolean holdsBack;

  private static Thread named(Runnable work) {
    Thread named = new Thread(work, "late-ledger");
    named.setDaemon(true);
    return named;
  }

  LateLedger(Ledger ledger) {
    this.ledger = ledger;
  }

  /** From now on nobody hears of a decision until {@link #letGo}. */
  void holdBack() {
    holdsBack = true;
  }

  /** How many do not know yet. */
  int waiting() {
    return waiting.size();
  }

  /** Tells all, and from now on each at once. */
  void letGo() {
    holdsBack = false;
    Later next;
    while ((next = waiting.poll()) != null) {
      thread.execute(next::answered);
    }
  }

  @Override
  public boolean execute(Plan plan, Moment moment, Verdict verdict, Later later) {
    ledger.execute(plan, moment, verdict, later);
    if (holdsBack) {
      waiting.add(later);
    } else {
      thread.execute(later::answered);
    }
    return false;
  }

  @Override
  public void adopt(Policy policy) {
    ledger.adopt(policy);
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
    return ledger.settle(receipt, moment, costPermits);
  }

  @Override
  public boolean peek(Plan plan, Moment moment, Verdict verdict, Later later) {
    return ledger.peek(plan, moment, verdict, later);
  }

  @Override
  public boolean reset(Plan plan, Moment moment, Verdict verdict, Later later) {
    return ledger.reset(plan, moment, verdict, later);
  }

  @Override
  public void tidy(Moment moment) {
    ledger.tidy(moment);
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
