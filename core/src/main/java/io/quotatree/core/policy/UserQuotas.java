package io.quotatree.core.policy;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The user layer, compiled: who a request's user is, and which quotas are theirs. */
final class UserQuotas {

  private final @Nullable QuotaSteps byDefault;
  final @Nullable QuotaSteps writes;
  private final Map<String, QuotaSteps> plans = new HashMap<>();
  private final Set<String> anonymousIds;
  private final UserLines.By anonymousBy;
  final @Nullable QuotaSteps anonymous;
  final @Nullable QuotaSteps pool;

  UserQuotas(Compilation making, UserLines lines) {
    UserLines.Anonymous nobody = lines.anonymous();
    byDefault = making.quota(SubjectKind.USER, "", lines.byDefault());
    writes = making.quota(SubjectKind.WRITES, "", lines.writes());
    lines
        .plans()
        .forEach((plan, quota) -> plans.put(plan, making.namedUserQuota(quota, byDefault)));
    anonymousIds = nobody.ids();
    anonymousBy = nobody.by();
    anonymous = making.quota(SubjectKind.USER, "", nobody.quota());
    pool = making.quota(SubjectKind.POOL, "", nobody.quota());
  }

  @Nullable QuotaSteps byDefault() {
    return byDefault;
  }

  /** Finds who the user is, tells the plan, and answers with the user's own quota. */
  @Nullable QuotaSteps resolve(Request request, CallerPlan caller, Plan plan) {
    String user = request.user();
    boolean nobody = user.isEmpty() || anonymousIds.contains(user);
    if (!user.isEmpty()) {
      boolean unproven = request.proof() == Request.Proof.UNPROVEN;
      plan.requester.user(unproven ? UserKind.UNPROVEN : UserKind.NAMED, user);
      if (unproven && !nobody) {
        plan.requester.unidentified();
        return caller.user == null ? byDefault : caller.user;
      }
      if (!unproven && !caller.users.isEmpty()) {
        QuotaSteps line =
            caller.users.find(user, plan.requester.userHash1(), plan.requester.userHash2());
        if (line != null) {
          return line;
        }
      }
    }
    return nobody ? anonymous(request, caller, plan) : named(request.plan(), caller);
  }

  private @Nullable QuotaSteps named(String userPlan, CallerPlan caller) {
    QuotaSteps quota = userPlan.isEmpty() ? null : caller.plans.get(userPlan);
    if (quota == null) {
      quota = caller.user;
    }
    if (quota == null && !userPlan.isEmpty()) {
      quota = plans.get(userPlan);
    }
    return quota == null ? byDefault : quota;
  }

  private @Nullable QuotaSteps anonymous(Request request, CallerPlan caller, Plan plan) {
    plan.requester.unidentified();
    if (anonymous == null) {
      plan.requester.user(UserKind.ADDRESS, ClientAddress.counted(request.address()));
      return caller.user == null ? byDefault : caller.user;
    }
    switch (anonymousBy) {
      case POOL -> plan.requester.user(UserKind.POOL, "");
      case IP -> plan.requester.user(UserKind.ADDRESS, ClientAddress.counted(request.address()));
      case NETWORK ->
          plan.requester.user(UserKind.NETWORK, ClientAddress.network(request.address()));
      case SESSION -> {
        if (request.session().isEmpty()) {
          plan.requester.user(UserKind.ADDRESS, ClientAddress.counted(request.address()));
        } else {
          plan.requester.user(UserKind.SESSION, request.session());
        }
      }
    }
    return anonymous;
  }

  /** Adds the user layer: the user's quota, the pool of unproven ids, then writes. */
  void add(Request request, @Nullable QuotaSteps own, ApiPlan api, Plan plan) {
    if (!api.replacesUserQuota || perUser(request, api, plan) == null) {
      plan.add(own);
      if (plan.requester.isUnproven()) {
        plan.add(pool);
      }
    }
    if (writes != null && api.isWrite(request.method())) {
      plan.add(writes);
    }
  }

  /** An api's quota for each of its users, by the user's plan where that has one. */
  @Nullable QuotaSteps perUser(Request request, ApiPlan api, Plan plan) {
    Map<String, QuotaSteps> ofPlans = api.perUserPlans;
    if (ofPlans == null || request.plan().isEmpty() || plan.isUnidentified()) {
      return api.perUser;
    }
    return ofPlans.getOrDefault(request.plan(), api.perUser);
  }
}
