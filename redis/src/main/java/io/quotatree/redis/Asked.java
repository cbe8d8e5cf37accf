package io.quotatree.redis;

import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Step;

/**
 * What is asked of the store for one plan, and what came of it that corrections need later. Kept
 * with a verdict; made anew for each question, so that a late answer finds what it was an answer
 * to.
 */
final class Asked {

  final byte[][] keys;
  final byte[][] records;
  final boolean[] isInFlight;

  /** Where each charge is found again: a window's start, a slice, a log's time. */
  final long[] marks;

  /** The permit in flight that each of the counters holds, if any does. */
  final byte[] holder;

  final boolean mayHold;
  final long revision;

  Asked(Plan plan, KnownPolicy policy, byte[] holder, long revision) {
    int size = plan.size();
    this.keys = new byte[size][];
    this.records = new byte[size][];
    this.isInFlight = new boolean[size];
    this.marks = new long[size];
    this.holder = holder;
    this.revision = revision;
    boolean any = false;
    for (int i = 0; i < size; i++) {
      Step step = plan.step(i);
      keys[i] = policy.key(plan, i);
      records[i] = policy.record(step, plan);
      isInFlight[i] = step.isInFlight();
      any |= isInFlight[i];
    }
    this.mayHold = any && plan.costPermits() > 0;
  }

  static boolean mayHold(Plan plan) {
    for (int i = 0; i < plan.size(); i++) {
      if (plan.step(i).isInFlight()) {
        return plan.costPermits() > 0;
      }
    }
    return false;
  }
}
