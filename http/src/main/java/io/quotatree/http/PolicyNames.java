package io.quotatree.http;

import io.quotatree.core.limit.LimitState;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Names of policies within one answer. */
final class PolicyNames {

  private PolicyNames() {}

  /**
   * The names of some limits' policies, each once: a name that is taken gets {@code -2}, {@code
   * -3}, as where a user's quota and {@code writes} are both per minute.
   */
  static List<String> of(List<LimitState> limits) {
    Set<String> taken = new LinkedHashSet<>();
    for (LimitState limit : limits) {
      String name = limit.policyName();
      String unique = name;
      for (int n = 2; !taken.add(unique); n++) {
        unique = name + "-" + n;
      }
    }
    return new ArrayList<>(taken);
  }
}
