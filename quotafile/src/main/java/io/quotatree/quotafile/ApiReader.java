package io.quotatree.quotafile;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiLines.ApiLine;
import io.quotatree.core.policy.ApiLines.Group;
import io.quotatree.core.policy.ApiName;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.ApiRule.Effect;
import io.quotatree.core.policy.ApiRule.PerUser;
import io.quotatree.core.policy.ApiRule.Placement;
import io.quotatree.core.policy.ApiRule.Rank;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.quotafile.CostCheck.Cost;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Yaml;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the api layer of a section that was read. */
final class ApiReader {

  private final Problems problems;
  private final QuotaBuilder builder;
  private final CostCheck costs;
  private final List<PlacedName> places = new ArrayList<>();

  /** A name and its rule. */
  private record Named(Yaml.Scalar at, ApiLine line) {}

  ApiReader(Problems problems, QuotaBuilder builder, CostCheck costs) {
    this.problems = problems;
    this.builder = builder;
    this.costs = costs;
  }

  /** The names of apis and of groups' members that were read, where they stand. */
  List<PlacedName> places() {
    return List.copyOf(places);
  }

  ApiLines read(Fields api) {
    Located<Fields> byDefault = api.find(Format.API_DEFAULT);
    WrittenQuota base = byDefault == null ? null : written("api.default", byDefault, null);
    List<Group> groups = groups(api);
    List<Named> named = new ArrayList<>();
    for (Located<Fields> line : api.value(Format.API_OVERRIDES, List.of())) {
      WrittenQuota written = written("api.overrides." + line.name(), line, base);
      named.add(named(line.key(), written, groups));
    }
    for (Located<ApiName> name : api.value(Format.NAMES, List.of())) {
      named.add(named((Yaml.Scalar) name.at(), base, groups));
    }
    // In ties the earlier line of the file wins.
    named.sort(Comparator.comparing(Named::at, PlacedName.BY_PLACE));
    new ApiNames(problems).addAll(named.stream().map(Named::at).toList());
    named.forEach(line -> places.add(PlacedName.of(line.at(), PlacedName.Use.API)));
    return new ApiLines(unmatched(api, base), named.stream().map(Named::line).toList(), groups);
  }

  private Named named(Yaml.Scalar name, @Nullable WrittenQuota written, List<Group> groups) {
    ApiRule rule = written == null ? ApiRule.NONE : rule(written);
    Located<Long> cost =
        written == null || !written.key().equals(name) ? null : written.own().find(Format.COST);
    costs.check(
        new Cost(ApiName.parse(name.text()), cost == null ? name : cost.at(), rule), groups);
    return new Named(name, new ApiLine(name.text(), rule));
  }

  private ApiRule unmatched(Fields api, @Nullable WrittenQuota base) {
    Located<Fields> found = api.find(Format.UNMATCHED);
    WrittenQuota written = found == null ? base : written("api.unmatched", found, null);
    if (written == null) {
      return ApiRule.NONE;
    }
    ApiRule rule = rule(written);
    Located<Long> cost = written.own().find(Format.COST);
    costs.check(
        new Cost(ApiName.parse(QuotaTree.ANY_PATH), cost == null ? written.key() : cost.at(), rule),
        List.of());
    return rule;
  }

  private List<Group> groups(Fields api) {
    List<Group> groups = new ArrayList<>();
    for (Located<Fields> group : api.value(Format.GROUPS, List.of())) {
      Quota quota = builder.required(written("api.groups." + group.name(), group, null));
      List<Located<ApiName>> match = group.value().value(Format.MATCH, List.of());
      List<Yaml.Scalar> names = match.stream().map(name -> (Yaml.Scalar) name.at()).toList();
      new ApiNames(problems).addAll(names);
      names.forEach(name -> places.add(PlacedName.of(name, PlacedName.Use.OTHER)));
      if (quota != null) {
        groups.add(new Group(group.name(), names.stream().map(Yaml.Scalar::text).toList(), quota));
      }
    }
    return groups;
  }

  private static WrittenQuota written(
      String place, Located<Fields> found, @Nullable WrittenQuota base) {
    return new WrittenQuota(place, found.key(), found.value(), base, AlgorithmName.FIXED_WINDOW);
  }

  private ApiRule rule(WrittenQuota written) {
    WrittenQuota callers = part(written, Format.PER_CALLER);
    Located<Boolean> writes = written.find(Format.WRITE);
    return new ApiRule(
        builder.optional(written),
        callers == null ? null : builder.required(callers),
        perUser(part(written, Format.PER_USER)),
        written.value(Format.COST, 1L),
        written.value(Format.PRIORITY, false) ? Rank.PRIORITY : Rank.USUAL,
        effect(writes));
  }

  private static Effect effect(@Nullable Located<Boolean> writes) {
    if (writes == null) {
      return Effect.BY_METHOD;
    }
    return writes.value() ? Effect.WRITES : Effect.READS;
  }

  private @Nullable PerUser perUser(@Nullable WrittenQuota written) {
    if (written == null) {
      return null;
    }
    List<Located<Fields>> lines = written.own().value(Format.PLANS, List.of());
    Map<String, Quota> plans = new LinkedHashMap<>();
    for (Located<Fields> line : lines) {
      Quota quota =
          builder.required(written(written.place() + ".plans." + line.name(), line, written));
      if (quota != null) {
        plans.put(line.name(), quota);
      }
    }
    return new PerUser(
        lines.isEmpty() ? builder.required(written) : builder.optional(written),
        plans,
        written.own().value(Format.INSTEAD, false) ? Placement.INSTEAD : Placement.BESIDES);
  }

  /** A quota within an api's line, or within the default that the line takes over from. */
  private static @Nullable WrittenQuota part(WrittenQuota written, Key<Fields> key) {
    WrittenQuota giver = written.giver(key);
    Located<Fields> found = giver == null ? null : giver.own().find(key);
    return giver == null || found == null
        ? null
        : written(giver.place() + "." + key.name(), found, null);
  }
}
