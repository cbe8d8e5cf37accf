package io.quotatree.core.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One caller line, compiled: the caller's quota and what it says of its users and apis. */
final class CallerPlan {

  /** A caller without a line where there is no default. */
  static final CallerPlan NONE =
      new CallerPlan(null, null, new LineIndex<>(), Map.of(), new ApiIndex<>(), List.of());

  final @Nullable QuotaSteps quota;
  final @Nullable QuotaSteps user;
  final LineIndex<QuotaSteps> users;
  final Map<String, QuotaSteps> plans;
  final ApiIndex<QuotaSteps> apis;

  /** The same quotas, in the order of the file. */
  final List<QuotaSteps> apiQuotas;

  private CallerPlan(
      @Nullable QuotaSteps quota,
      @Nullable QuotaSteps user,
      LineIndex<QuotaSteps> users,
      Map<String, QuotaSteps> plans,
      ApiIndex<QuotaSteps> apis,
      List<QuotaSteps> apiQuotas) {
    this.quota = quota;
    this.user = user;
    this.users = users;
    this.plans = plans;
    this.apis = apis;
    this.apiQuotas = List.copyOf(apiQuotas);
  }

  static CallerPlan byDefault(@Nullable QuotaSteps quota) {
    return new CallerPlan(quota, null, NONE.users, NONE.plans, NONE.apis, List.of());
  }

  static CallerPlan of(
      Compilation making,
      CallerOverride line,
      @Nullable QuotaSteps callerDefault,
      @Nullable QuotaSteps userDefault) {
    QuotaSteps quota = making.quota(SubjectKind.CALLER, "", line.quota());
    QuotaSteps.overflowInto(quota, callerDefault);
    QuotaSteps user = making.userQuota(line.user(), userDefault);
    LineIndex<QuotaSteps> users = new LineIndex<>();
    for (Line named : line.users()) {
      users.add(named.pattern(), making.namedUserQuota(named.quota(), userDefault));
    }
    Map<String, QuotaSteps> plans = new HashMap<>();
    line.plans().forEach((plan, q) -> plans.put(plan, making.namedUserQuota(q, userDefault)));
    ApiIndex<QuotaSteps> apis = new ApiIndex<>();
    List<QuotaSteps> apiQuotas = new ArrayList<>();
    for (CallerOverride.ApiQuota api : line.apis()) {
      ApiName name = ApiName.parse(api.name());
      QuotaSteps own = QuotaSteps.of(making, SubjectKind.CALLER_API, name.text(), api.quota());
      apis.add(name, own);
      apiQuotas.add(own);
    }
    return new CallerPlan(
        quota, user, users.built(UserKind.NAMED.nameKind), plans, apis.built(), apiQuotas);
  }
}
