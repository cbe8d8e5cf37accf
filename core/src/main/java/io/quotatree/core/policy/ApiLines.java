package io.quotatree.core.policy;

import io.quotatree.core.limit.Quota;
import java.util.List;
import java.util.Objects;

/**
 * The quotas of the api layer.
 *
 * @param unmatched the rule of all paths that no line fits, for each caller and route
 * @param lines the named apis
 * @param groups quotas over several apis, besides theirs
 */
public record ApiLines(ApiRule unmatched, List<ApiLine> lines, List<Group> groups) {

  /** No quota in this layer. */
  public static final ApiLines NONE = new ApiLines(ApiRule.NONE, List.of(), List.of());

  /** Copies the lists. */
  public ApiLines {
    Objects.requireNonNull(unmatched, "unmatched");
    lines = List.copyOf(lines);
    groups = List.copyOf(groups);
  }

  /**
   * A named api, one however many paths fit it.
   *
   * @param name {@code METHOD /path} or {@code /path} for every method; a path may hold {@code
   *     {name}} for one segment and end in {@code /**} for the rest
   * @param rule what holds for it
   */
  public record ApiLine(String name, ApiRule rule) {
    /** Refuses missing parts. */
    public ApiLine {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(rule, "rule");
    }
  }

  /**
   * One quota over several apis.
   *
   * @param name its name, unique among groups
   * @param match names as of an api, any of which puts a request into the group
   * @param quota the quota
   */
  public record Group(String name, List<String> match, Quota quota) {
    /** Copies the list. */
    public Group {
      match = List.copyOf(match);
      Objects.requireNonNull(quota, "quota");
    }
  }
}
