package io.quotatree.core.policy.overlay;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiLines.ApiLine;
import io.quotatree.core.policy.ApiLines.Group;
import io.quotatree.core.policy.ApiName;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.QuotaTree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Places of the api layer that the file names, for all callers together. */
final class ApiPlace {

  private ApiPlace() {}

  /** An api that a line of the file names; another name would be another api. */
  record Named(ApiName name) implements OverridePlace {
    @Override
    public Layer layer() {
      return Layer.API;
    }

    @Override
    public String subject() {
      return name.text();
    }

    private boolean isSame(ApiLine line) {
      return ApiName.parse(line.name()).text().equals(name.text());
    }

    @Override
    public @Nullable Quota in(QuotaTree tree) {
      for (ApiLine line : tree.api().lines()) {
        if (isSame(line)) {
          return line.rule().quota();
        }
      }
      throw OverridePlace.none(
          Layer.API,
          subject(),
          "the file names no such api: write one as a line of `api` does, or add it to `api.names`");
    }

    @Override
    public QuotaTree with(QuotaTree tree, Quota quota) {
      in(tree);
      List<ApiLine> lines =
          tree.api().lines().stream()
              .map(line -> isSame(line) ? new ApiLine(line.name(), of(line.rule(), quota)) : line)
              .toList();
      return tree.withApi(new ApiLines(tree.api().unmatched(), lines, tree.api().groups()));
    }

    private static ApiRule of(ApiRule rule, Quota quota) {
      return new ApiRule(
          quota, rule.perCaller(), rule.perUser(), rule.costPermits(), rule.rank(), rule.effect());
    }
  }

  /** A group of apis. */
  record OfGroup(String name) implements OverridePlace {
    @Override
    public Layer layer() {
      return Layer.API;
    }

    @Override
    public String subject() {
      return "group:" + name;
    }

    @Override
    public Quota in(QuotaTree tree) {
      for (Group group : tree.api().groups()) {
        if (group.name().equals(name)) {
          return group.quota();
        }
      }
      throw OverridePlace.none(
          Layer.API,
          subject(),
          tree.api().groups().isEmpty()
              ? "the file has no groups"
              : "write one of "
                  + String.join(
                      ", ", tree.api().groups().stream().map(g -> "group:" + g.name()).toList()));
    }

    @Override
    public QuotaTree with(QuotaTree tree, Quota quota) {
      in(tree);
      List<Group> groups =
          tree.api().groups().stream()
              .map(
                  group ->
                      group.name().equals(name) ? new Group(name, group.match(), quota) : group)
              .toList();
      return tree.withApi(new ApiLines(tree.api().unmatched(), tree.api().lines(), groups));
    }
  }
}
