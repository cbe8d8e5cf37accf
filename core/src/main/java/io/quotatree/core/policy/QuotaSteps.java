package io.quotatree.core.policy;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One line's quota, compiled: its limits in the order they are asked in, then requests in flight.
 */
final class QuotaSteps {

  private static final Step[] NO_STEPS = {};

  final SubjectKind kind;
  final String name;
  final Quota quota;
  final Step[] steps;
  private final boolean blocked;

  private QuotaSteps(SubjectKind kind, String name, Quota quota, Step[] steps) {
    this.kind = kind;
    this.name = name;
    this.quota = quota;
    this.steps = steps;
    this.blocked = quota.allowance() instanceof Allowance.Blocked;
  }

  static QuotaSteps of(Compilation making, SubjectKind kind, String name, Quota quota) {
    List<Step> steps = new ArrayList<>();
    if (quota.allowance() instanceof Allowance.Limited limited) {
      for (RateLimit limit : limited.limits()) {
        steps.add(making.step(kind, name, quota, limit));
      }
    }
    if (quota.concurrency().isPresent() && !(quota.allowance() instanceof Allowance.Blocked)) {
      steps.add(making.step(kind, name, quota, null));
    }
    return new QuotaSteps(kind, name, quota, steps.toArray(NO_STEPS));
  }

  /** Lets subjects of this line that share an overflow counter have the limits of another line. */
  static void overflowInto(@Nullable QuotaSteps from, @Nullable QuotaSteps into) {
    if (from == null || into == null || from.steps.length != into.steps.length) {
      return;
    }
    for (int i = 0; i < from.steps.length; i++) {
      if (from.steps[i].algorithm().getClass() == into.steps[i].algorithm().getClass()) {
        from.steps[i].overflowInto(into.steps[i]);
      }
    }
  }

  /** These limits but those that would count on a counter of the other line's. */
  QuotaSteps without(@Nullable QuotaSteps other) {
    if (other == null) {
      return this;
    }
    Set<String> shapes =
        Arrays.stream(other.steps)
            .map(step -> step.algorithm().shape())
            .collect(Collectors.toSet());
    Step[] rest =
        Arrays.stream(steps)
            .filter(step -> !shapes.contains(step.algorithm().shape()))
            .toArray(Step[]::new);
    return new QuotaSteps(kind, name, quota, rest);
  }

  boolean isBlocked() {
    return blocked;
  }

  boolean isShadow() {
    return quota.enforcement() == Enforcement.SHADOW;
  }
}
