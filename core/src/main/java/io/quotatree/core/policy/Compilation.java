package io.quotatree.core.policy;

import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The making of one policy: numbers its steps, so that ledgers can keep tables of them. */
final class Compilation {

  private final List<Step> steps = new ArrayList<>();

  Step step(SubjectKind kind, String name, Quota quota, @Nullable RateLimit limit) {
    Step step = new Step(steps.size(), kind, name, quota, limit);
    steps.add(step);
    return step;
  }

  @Nullable QuotaSteps quota(SubjectKind kind, String name, @Nullable Quota quota) {
    return quota == null ? null : QuotaSteps.of(this, kind, name, quota);
  }

  /** A user's quota whose overflow counter has the limits of the default. */
  @Nullable QuotaSteps userQuota(@Nullable Quota quota, @Nullable QuotaSteps byDefault) {
    return quota == null ? null : namedUserQuota(quota, byDefault);
  }

  QuotaSteps namedUserQuota(Quota quota, @Nullable QuotaSteps byDefault) {
    QuotaSteps made = QuotaSteps.of(this, SubjectKind.USER, "", quota);
    QuotaSteps.overflowInto(made, byDefault);
    return made;
  }

  List<Step> steps() {
    return List.copyOf(steps);
  }
}
