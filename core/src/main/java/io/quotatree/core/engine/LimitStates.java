package io.quotatree.core.engine;

import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.ledger.Verdict.Standing;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Wait;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.PlannedQuota;
import io.quotatree.core.policy.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The limits of a decision, as people are told of them. Reads a plan and a verdict on it. */
final class LimitStates {

  private static final int NONE = -1;

  private final Plan plan;
  private final Verdict verdict;

  LimitStates(Plan plan, Verdict verdict) {
    this.plan = plan;
    this.verdict = verdict;
  }

  /** The limit at a place of the plan. */
  LimitState at(int index) {
    Step step = verdict.inForce(plan, index);
    boolean refuses = verdict.refuses(index);
    return new LimitState(
        step.layer(),
        verdict.isOverflowed(index) ? plan.overflowSubject() : step.subject(plan),
        Optional.ofNullable(step.limit()),
        step.limitPermits(),
        step.algorithm().capacityPermits(),
        refuses && step.isInFlight() ? 0 : verdict.remaining(plan, index),
        new Wait(verdict.resetMicros(plan, index)),
        refuses ? new Wait(verdict.waitMicros(index)) : new Wait(0),
        step.quota().origin(),
        plan.isAmbiguous(step.layer()));
  }

  /** A blocked quota: a limit of 0. */
  static LimitState blocked(PlannedQuota blocked) {
    return new LimitState(
        blocked.layer(),
        blocked.subject(),
        Optional.empty(),
        0,
        0,
        0,
        new Wait(0),
        Wait.NEVER,
        blocked.quota().origin(),
        false);
  }

  /** See {@link Decision#usage}. */
  List<LimitState> usage(int applying) {
    List<LimitState> states = new ArrayList<>();
    plan.blocked().or(plan::shadowBlocked).map(LimitStates::blocked).ifPresent(states::add);
    for (int i = 0; i < plan.size(); i++) {
      if (firstOfCounter(i) == i) {
        int told = tellingOf(i);
        if (told != NONE || i < applying) {
          states.add(at(told == NONE ? i : told));
        }
      }
    }
    return states;
  }

  private int firstOfCounter(int index) {
    int first = 0;
    while (!sameCounter(first, index)) {
      first++;
    }
    return first;
  }

  private boolean sameCounter(int index, int other) {
    return plan.key1(index) == plan.key1(other) && plan.key2(index) == plan.key2(other);
  }

  /** Of the limits that share a counter the one it was last asked under. */
  private int tellingOf(int first) {
    for (int i = first; i < plan.size(); i++) {
      if (sameCounter(first, i) && verdict.standing(i) == Standing.UNDER_THIS_LIMIT) {
        return i;
      }
    }
    return NONE;
  }
}
