package io.quotatree.core.policy;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One api's rule, compiled. */
final class ApiPlan {

  final String name;
  final boolean isNamed;
  final ApiRule rule;
  final @Nullable QuotaSteps own;
  final @Nullable QuotaSteps perCaller;
  final @Nullable QuotaSteps perUser;
  final Map<String, QuotaSteps> perUserPlans;

  private ApiPlan(Compilation making, String name, ApiRule rule, SubjectKind ownKind) {
    this.name = name;
    this.isNamed = ownKind == SubjectKind.API;
    this.rule = rule;
    this.own = making.quota(ownKind, name, rule.quota());
    QuotaSteps each = making.quota(SubjectKind.PER_CALLER, name, rule.perCaller());
    // Unmatched paths are counted for each caller as it is: one limit there cannot be asked twice.
    this.perCaller = each != null && ownKind == SubjectKind.UNMATCHED ? each.without(own) : each;
    ApiRule.PerUser users = rule.perUser();
    this.perUser = users == null ? null : making.quota(SubjectKind.PER_USER, name, users.quota());
    this.perUserPlans = new HashMap<>();
    if (users != null) {
      users
          .plans()
          .forEach(
              (plan, q) ->
                  perUserPlans.put(plan, QuotaSteps.of(making, SubjectKind.PER_USER, name, q)));
    }
  }

  static ApiPlan named(Compilation making, ApiName name, ApiRule rule) {
    return new ApiPlan(making, name.text(), rule, SubjectKind.API);
  }

  static ApiPlan unmatched(Compilation making, String route, ApiRule rule) {
    return new ApiPlan(making, route, rule, SubjectKind.UNMATCHED);
  }

  boolean replacesUserQuota() {
    ApiRule.PerUser users = rule.perUser();
    return users != null && users.placement() == ApiRule.Placement.INSTEAD;
  }

  boolean hasPriority() {
    return rule.rank() == ApiRule.Rank.PRIORITY;
  }

  boolean isWrite(String method) {
    return switch (rule.effect()) {
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
