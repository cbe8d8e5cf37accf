package io.quotatree.core.policy;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.algorithm.InFlight;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The making of one policy: numbers its steps, so that ledgers can keep tables of them. */
final class Compilation {

  private final List<Step> steps = new ArrayList<>();

  /** Limits that are equal share one, so that it is in a cache when the next of them is asked. */
  private final Map<RateLimit, Algorithm> algorithms = new HashMap<>();

  Step step(SubjectKind kind, String name, Quota quota, @Nullable RateLimit limit) {
    Algorithm algorithm =
        limit == null
            ? new InFlight(quota.concurrency().orElseThrow())
            : algorithms.computeIfAbsent(limit, Algorithm::of);
    Step step = new Step(steps.size(), kind, name, quota, limit, algorithm);
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
