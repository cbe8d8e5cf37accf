package io.quotatree.quotafile;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ApiLines.ApiLine;
import io.quotatree.core.policy.ApiLines.Group;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.ApiRule.PerUser;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.UserLines;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A walk over all quotas of a tree, in the order of a file. */
final class QuotaPlaces {

  private final Visitor visitor;

  /** Is told of each quota. */
  @FunctionalInterface
  interface Visitor {
    /**
     * A quota.
     *
     * @param layer the layer that it is asked in
     * @param place its place in the tree; where it takes all over from another place, its origin
     *     says which
     */
    void quota(Layer layer, String place, Quota quota);
  }

  private QuotaPlaces(Visitor visitor) {
    this.visitor = visitor;
  }

  static void visit(QuotaTree tree, Visitor visitor) {
    QuotaPlaces walk = new QuotaPlaces(visitor);
    walk.quota(Layer.NODE, "node", tree.node().fleet());
    walk.quota(Layer.NODE, "node.instance", tree.node().instance());
    tree.node()
        .instances()
        .forEach(line -> walk.quota(Layer.NODE, "node.instances." + line.pattern(), line.quota()));
    walk.quota(Layer.CALLER, "caller.default", tree.caller().byDefault());
    tree.caller().overrides().forEach(walk::caller);
    walk.users(tree.user());
    walk.rule("api.unmatched", tree.api().unmatched());
    for (ApiLine line : tree.api().lines()) {
      walk.rule("api.overrides." + line.name(), line.rule());
    }
    for (Group group : tree.api().groups()) {
      walk.quota(Layer.API, "api.groups." + group.name(), group.quota());
    }
  }

  private void caller(CallerOverride line) {
    String place = "caller.overrides." + line.pattern();
    quota(Layer.CALLER, place, line.quota());
    quota(Layer.USER, place + ".user", line.user());
    line.users()
        .forEach(user -> quota(Layer.USER, place + ".users." + user.pattern(), user.quota()));
    plans(Layer.USER, place, line.plans());
    line.apis().forEach(api -> quota(Layer.API, place + ".api." + api.name(), api.quota()));
  }

  private void users(UserLines user) {
    quota(Layer.USER, "user.default", user.byDefault());
    quota(Layer.USER, "user.writes", user.writes());
    plans(Layer.USER, "user", user.plans());
    quota(Layer.USER, "user.anonymous", user.anonymous().quota());
  }

  private void rule(String place, ApiRule rule) {
    quota(Layer.API, place, rule.quota());
    quota(Layer.API, place + ".per_caller", rule.perCaller());
    PerUser perUser = rule.perUser();
    if (perUser != null) {
      quota(Layer.API, place + ".per_user", perUser.quota());
      plans(Layer.API, place + ".per_user", perUser.plans());
    }
  }

  private void plans(Layer layer, String place, Map<String, Quota> plans) {
    plans.forEach((plan, quota) -> quota(layer, place + ".plans." + plan, quota));
  }

  private void quota(Layer layer, String place, @Nullable Quota quota) {
    if (quota != null) {
      visitor.quota(layer, place, quota);
    }
  }
}
