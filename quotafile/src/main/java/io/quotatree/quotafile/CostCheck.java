package io.quotatree.quotafile;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.ApiLines.Group;
import io.quotatree.core.policy.ApiName;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.ApiRule.PerUser;
import io.quotatree.core.policy.ApiRule.Placement;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Yaml;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds costs that a quota could never grant, so that each such request would be refused for ever.
 */
final class CostCheck {

  private final Problems problems;
  private final List<Cost> costs = new ArrayList<>();

  /** What requests to an api take, and where that was said. */
  private record Cost(ApiName api, Yaml at, ApiRule rule) {}

  CostCheck(Problems problems) {
    this.problems = problems;
  }

  /** Tells where the api's own quotas or its groups are too small for its cost. */
  void check(ApiName api, Yaml at, ApiRule rule, List<Group> groups) {
    if (rule.costPermits() <= 1) {
      return;
    }
    costs.add(new Cost(api, at, rule));
    List<Quota> quotas = new ArrayList<>();
    add(quotas, rule.quota());
    add(quotas, rule.perCaller());
    PerUser perUser = rule.perUser();
    if (perUser != null) {
      add(quotas, perUser.quota());
      quotas.addAll(perUser.plans().values());
    }
    for (Group group : groups) {
      if (group.match().stream().anyMatch(name -> ApiName.parse(name).meets(api))) {
        quotas.add(group.quota());
      }
    }
    for (Quota quota : quotas) {
      RateLimit small = tooSmall(quota, rule.costPermits());
      if (small != null) {
        problems.error(
            at,
            "a cost of "
                + rule.costPermits()
                + " is over what "
                + told(quota, small)
                + " ever grants; write a cost of at most "
                + small.capacityPermits()
                + ", or a larger limit"
                + (small.algorithm().isBucket() ? " or burst" : ""));
      }
    }
  }

  /** Warns where a node's, caller's or user's quota is too small for an api's cost. */
  void warn(QuotaTree tree) {
    for (Cost cost : costs) {
      List<Quota> quotas = new ArrayList<>();
      add(quotas, tree.node().fleet());
      add(quotas, tree.node().instance());
      tree.node().instances().forEach(line -> quotas.add(line.quota()));
      add(quotas, tree.caller().byDefault());
      boolean users =
          cost.rule().perUser() == null || cost.rule().perUser().placement() == Placement.BESIDES;
      if (users) {
        add(quotas, tree.user().byDefault());
        add(quotas, tree.user().anonymous().quota());
        quotas.addAll(tree.user().plans().values());
      }
      for (CallerOverride line : tree.caller().overrides()) {
        addCaller(quotas, line, users, cost.api());
      }
      tell(cost, quotas);
    }
  }

  private static void addCaller(
      List<Quota> quotas, CallerOverride line, boolean users, ApiName api) {
    add(quotas, line.quota());
    line.apis().stream()
        .filter(own -> ApiName.parse(own.name()).meets(api))
        .forEach(own -> quotas.add(own.quota()));
    if (users) {
      add(quotas, line.user());
      line.users().forEach(user -> quotas.add(user.quota()));
      quotas.addAll(line.plans().values());
    }
  }

  private void tell(Cost cost, List<Quota> quotas) {
    long permits = cost.rule().costPermits();
    List<Quota> small =
        quotas.stream().filter(quota -> tooSmall(quota, permits) != null).distinct().toList();
    if (small.isEmpty()) {
      return;
    }
    RateLimit limit = tooSmall(small.get(0), permits);
    problems.warning(
        cost.at(),
        "a cost of "
            + permits
            + " is over what "
            + (limit == null ? "" : told(small.get(0), limit))
            + (small.size() > 1 ? " and " + (small.size() - 1) + " other quotas" : "")
            + " ever grant"
            + (small.size() > 1 ? "" : "s")
            + ", so such requests are always refused there; write a smaller cost, or a larger limit");
  }

  private static void add(List<Quota> quotas, @Nullable Quota quota) {
    if (quota != null) {
      quotas.add(quota);
    }
  }

  private static String told(Quota quota, RateLimit limit) {
    return "`"
        + limit.rate().text()
        + "`"
        + (limit.algorithm().isBucket() && limit.burstPermits() != limit.rate().permits()
            ? " with burst " + limit.burstPermits()
            : "")
        + " of `"
        + quota.origin().place()
        + "` at "
        + quota.origin().line()
        + ":"
        + quota.origin().column();
  }

  /** The limit of a quota that can never grant a cost; null where all can. */
  private static @Nullable RateLimit tooSmall(Quota quota, long costPermits) {
    if (quota.enforcement() == Enforcement.SHADOW
        || !(quota.allowance() instanceof Allowance.Limited limited)) {
      return null;
    }
    for (RateLimit limit : limited.limits()) {
      // A leaky bucket takes as many turns as a request costs, whatever its burst.
      if (limit.algorithm() != AlgorithmName.LEAKY_BUCKET
          && limit.capacityPermits() < costPermits) {
        return limit;
      }
    }
    return null;
  }
}
