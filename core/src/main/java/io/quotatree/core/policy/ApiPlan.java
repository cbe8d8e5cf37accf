package io.quotatree.core.policy;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One api's rule, compiled. */
final class ApiPlan {

  final String name;
  final boolean isNamed;
  final long costPermits;

  /** Whether its quotas are asked before those of the user layer. */
  final boolean hasPriority;

  /** Whether its quotas of each user stand in place of the user layer's. */
  final boolean replacesUserQuota;

  private final ApiRule.Effect effect;
  final @Nullable QuotaSteps own;
  final @Nullable QuotaSteps perCaller;
  final @Nullable QuotaSteps perUser;

  /**
   * All limits of a request by a caller and a user without a line of their own, which is what most
   * have; null where that depends on more. Written while the policy is compiled.
   */
  Step @Nullable [] usual;

  /** By plan; null where no plan has one of its own. */
  final @Nullable Map<String, QuotaSteps> perUserPlans;

  private ApiPlan(Compilation making, String name, ApiRule rule, SubjectKind ownKind) {
    this.name = name;
    this.isNamed = ownKind == SubjectKind.API;
    this.costPermits = rule.costPermits();
    this.hasPriority = rule.rank() == ApiRule.Rank.PRIORITY;
    this.effect = rule.effect();
    boolean countedByCaller = ownKind == SubjectKind.UNMATCHED;
    Quota ownQuota = countedByCaller ? tightened(rule.quota(), rule.perCaller()) : rule.quota();
    this.own = making.quota(ownKind, name, ownQuota);
    QuotaSteps each = making.quota(SubjectKind.PER_CALLER, name, rule.perCaller());
    // Unmatched paths are counted for each caller as it is: one counter there is not asked twice.
    this.perCaller = each != null && countedByCaller ? each.without(own) : each;
    ApiRule.PerUser users = rule.perUser();
    this.perUser = users == null ? null : making.quota(SubjectKind.PER_USER, name, users.quota());
    this.replacesUserQuota = users != null && users.placement() == ApiRule.Placement.INSTEAD;
    this.perUserPlans =
        users == null || users.plans().isEmpty() ? null : plans(making, name, users);
  }

  private static Map<String, QuotaSteps> plans(
      Compilation making, String name, ApiRule.PerUser users) {
    Map<String, QuotaSteps> plans = new HashMap<>();
    users
        .plans()
        .forEach(
            (plan, quota) ->
                plans.put(plan, QuotaSteps.of(making, SubjectKind.PER_USER, name, quota)));
    return plans;
  }

  static ApiPlan named(Compilation making, ApiName name, ApiRule rule) {
    return new ApiPlan(making, name.text(), rule, SubjectKind.API);
  }

  static ApiPlan unmatched(Compilation making, String route, ApiRule rule) {
    return new ApiPlan(making, route, rule, SubjectKind.UNMATCHED);
  }

  /** A quota whose limits are no looser than those of another that would count on its counters. */
  private static @Nullable Quota tightened(@Nullable Quota quota, @Nullable Quota other) {
    if (quota == null
        || other == null
        || quota.enforcement() != other.enforcement()
        || !(quota.allowance() instanceof Allowance.Limited limited)
        || !(other.allowance() instanceof Allowance.Limited others)) {
      return quota;
    }
    List<RateLimit> limits = new ArrayList<>();
    for (RateLimit limit : limited.limits()) {
      limits.add(others.limits().stream().reduce(limit, RateLimit::tightenedBy));
    }
    return quota.withAllowance(new Allowance.Limited(limits));
  }

  boolean isWrite(String method) {
    return switch (effect) {
      case WRITES -> true;
      case READS -> false;
      case BY_METHOD ->
          !(method.equals("GET")
              || method.equals("HEAD")
              || method.equals("OPTIONS")
              || method.equals("TRACE"));
    };
  }
}
