package io.quotatree.redis;

import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Step;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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

  /** What is this gateway's alone; null for nothing. */
  final @Nullable LocalPart local;

  final boolean mayHold;
  final long revision;

  Asked(Plan plan, KnownPolicy policy, @Nullable LocalPart local, Ask ask) {
    int size = plan.size();
    this.keys = new byte[size][];
    this.records = new byte[size][];
    this.isInFlight = new boolean[size];
    this.marks = new long[size];
    this.holder = ask.holder();
    this.revision = ask.revision();
    this.local = local;
    boolean any = false;
    for (int i = 0; i < size; i++) {
      Step step = plan.step(i);
      keys[i] = policy.key(plan, i);
      boolean isLocal = isLocal(i);
      records[i] =
          isLocal && local != null
              ? LimitRecord.answered(step, local.grants(i))
              : policy.record(step, plan);
      isInFlight[i] = step.isInFlight() && !isLocal;
      any |= isInFlight[i];
    }
    this.mayHold = any && plan.costPermits() > 0;
  }

  /**
   * How it is asked.
   *
   * @param holder of permits in flight
   * @param revision of the quotas
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Ask(byte[] holder, long revision) {

    /** What only looks or empties holds nothing, whatever the quotas. */
    static final Ask ABOUT = new Ask(Wire.NO_HOLDER, 0);
  }

  /** Whether a limit is this gateway's alone. */
  boolean isLocal(int index) {
    return local != null && local.has(index);
  }

  /** The places of the limits that the store keeps. */
  int[] shared() {
    return IntStream.range(0, keys.length).filter(i -> !isLocal(i)).toArray();
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
