package io.quotatree.quotafile;

import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ApiLines.Group;
import io.quotatree.core.policy.ApiName;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.ApiRule.PerUser;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Yaml;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds costs that the api's own quotas could never grant, so that each such request would be
 * refused for ever.
 */
final class CostCheck {

  private final Problems problems;
  private final List<Cost> costs = new ArrayList<>();

  /**
   * What requests to an api take.
   *
   * @param api the api
   * @param at where its cost is said, or the line that takes one over
   * @param rule what holds for it
   */
  record Cost(ApiName api, Yaml at, ApiRule rule) {}

  CostCheck(Problems problems) {
    this.problems = problems;
  }

  /** The costs over 1 that were checked. */
  List<Cost> costs() {
    return List.copyOf(costs);
  }

  /** Tells where the api's own quotas or its groups are too small for its cost. */
  void check(Cost cost, List<Group> groups) {
    ApiRule rule = cost.rule();
    if (rule.costPermits() <= 1) {
      return;
    }
    costs.add(cost);
    tell(cost, rule.quota());
    tell(cost, rule.perCaller());
    PerUser perUser = rule.perUser();
    if (perUser != null) {
      tell(cost, perUser.quota());
      perUser.plans().values().forEach(quota -> tell(cost, quota));
    }
    for (Group group : groups) {
      if (group.match().stream().anyMatch(name -> ApiName.parse(name).meets(cost.api()))) {
        tell(cost, group.quota());
      }
    }
  }

  private void tell(Cost cost, @Nullable Quota quota) {
    Bound bound = Bound.of(quota).orElse(null);
    if (bound != null && bound.permits() < cost.rule().costPermits()) {
      problems.error(
          cost.at(),
          "a cost of %d is over what %s ever grants; write a cost of at most %d, or a larger limit%s"
              .formatted(
                  cost.rule().costPermits(),
                  bound.words(),
                  bound.permits(),
                  bound.limit().algorithm().isBucket() ? " or burst" : ""));
    }
  }
}
