package io.quotatree.core.policy;

import io.quotatree.core.limit.Quota;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one caller, or each caller that a pattern fits, may use.
 *
 * @param pattern a caller's name, or a pattern with one {@code *}
 * @param quota the caller's own quota
 * @param user the quota of each of its users, instead of the default of users
 * @param users quotas of some of its users
 * @param plans by plan, the quota of its users of that plan
 * @param apis by api name, the quota of this caller on that api
 */
public record CallerOverride(
    String pattern,
    @Nullable Quota quota,
    @Nullable Quota user,
    List<Line> users,
    Map<String, Quota> plans,
    List<ApiQuota> apis) {

  /** Copies the collections. */
  public CallerOverride {
    NamePattern.requireValid(pattern);
    users = List.copyOf(users);
    plans = Map.copyOf(plans);
    apis = List.copyOf(apis);
  }

  /** A caller's line that says nothing but its quota. */
  public static CallerOverride of(String pattern, Quota quota) {
    return new CallerOverride(pattern, quota, null, List.of(), Map.of(), List.of());
  }

  /**
   * A quota on the apis that a name fits.
   *
   * @param name {@code METHOD /path} or {@code /path}
   * @param quota the quota
   */
  public record ApiQuota(String name, Quota quota) {}
}
