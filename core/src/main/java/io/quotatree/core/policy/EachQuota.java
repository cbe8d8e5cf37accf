package io.quotatree.core.policy;

import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ApiLines.ApiLine;
import io.quotatree.core.policy.ApiLines.Group;
import io.quotatree.core.policy.CallerOverride.ApiQuota;
import io.quotatree.core.policy.UserLines.Anonymous;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A tree with each of its quotas changed in place. */
final class EachQuota {

  private final UnaryOperator<Quota> change;

  private EachQuota(UnaryOperator<Quota> change) {
    this.change = change;
  }

  static QuotaTree of(QuotaTree tree, UnaryOperator<Quota> change) {
    return new EachQuota(change).tree(tree);
  }

  private QuotaTree tree(QuotaTree tree) {
    NodeLines node = tree.node();
    CallerLines caller = tree.caller();
    UserLines user = tree.user();
    Anonymous anonymous = user.anonymous();
    ApiLines api = tree.api();
    return tree.withNode(
            new NodeLines(quota(node.fleet()), quota(node.instance()), lines(node.instances())))
        .withCaller(
            new CallerLines(
                quota(caller.byDefault()),
                caller.overrides().stream().map(this::override).toList()))
        .withUser(
            new UserLines(
                quota(user.byDefault()),
                quota(user.writes()),
                plans(user.plans()),
                new Anonymous(anonymous.ids(), quota(anonymous.quota()), anonymous.by())))
        .withApi(
            new ApiLines(
                rule(api.unmatched()),
                api.lines().stream()
                    .map(line -> new ApiLine(line.name(), rule(line.rule())))
                    .toList(),
                api.groups().stream()
                    .map(g -> new Group(g.name(), g.match(), change.apply(g.quota())))
                    .toList()));
  }

  private CallerOverride override(CallerOverride override) {
    return new CallerOverride(
        override.pattern(),
        quota(override.quota()),
        quota(override.user()),
        lines(override.users()),
        plans(override.plans()),
        override.apis().stream()
            .map(api -> new ApiQuota(api.name(), change.apply(api.quota())))
            .toList());
  }

  private ApiRule rule(ApiRule rule) {
    ApiRule.PerUser perUser = rule.perUser();
    return new ApiRule(
        quota(rule.quota()),
        quota(rule.perCaller()),
        perUser == null
            ? null
            : new ApiRule.PerUser(
                quota(perUser.quota()), plans(perUser.plans()), perUser.placement()),
        rule.costPermits(),
        rule.rank(),
        rule.effect());
  }

  private List<Line> lines(List<Line> lines) {
    return lines.stream()
        .map(line -> new Line(line.pattern(), change.apply(line.quota())))
        .toList();
  }

  /** In the order of names: the order of an unmodifiable map differs from run to run. */
  private Map<String, Quota> plans(Map<String, Quota> plans) {
    Map<String, Quota> changed = new TreeMap<>(plans);
    changed.replaceAll((plan, quota) -> change.apply(quota));
    return changed;
  }

  private @Nullable Quota quota(@Nullable Quota quota) {
    return quota == null ? null : change.apply(quota);
  }
}
