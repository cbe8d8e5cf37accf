package io.quotatree.quotafile;

import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ApiLines.ApiLine;
import io.quotatree.core.policy.ApiName;
import io.quotatree.core.policy.ApiRule.Effect;
import io.quotatree.core.policy.ApiRule.PerUser;
import io.quotatree.core.policy.ApiRule.Placement;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.overlay.OverridePlace;
import io.quotatree.quotafile.CostCheck.Cost;
import io.quotatree.quotafile.yaml.Problems;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds costs that a node's, caller's or user's quota can never grant: legal, since others pass
 * there.
 */
final class CostOddities {

  private static final Set<String> READS = Set.of("GET", "OPTIONS", "TRACE");

  private final Problems problems;
  private final List<Bound> callers = new ArrayList<>();
  private final List<Bound> users = new ArrayList<>();
  private final List<Bound> writes = new ArrayList<>();
  private final List<OfApi> apis = new ArrayList<>();

  /** A caller's quota on some apis. */
  private record OfApi(ApiName name, Bound bound) {}

  CostOddities(Problems problems, QuotaTree tree) {
    this.problems = problems;
    add(callers, tree.node().fleet());
    add(callers, tree.node().instance());
    tree.node().instances().forEach(line -> add(callers, line.quota()));
    add(callers, tree.caller().byDefault());
    add(users, tree.user().byDefault());
    add(users, tree.user().anonymous().quota());
    tree.user().plans().values().forEach(plan -> add(users, plan));
    add(writes, tree.user().writes());
    tree.caller().overrides().forEach(this::add);
    callers.sort(Comparator.comparingLong(Bound::permits));
    users.sort(Comparator.comparingLong(Bound::permits));
  }

  private void add(CallerOverride line) {
    add(callers, line.quota());
    add(users, line.user());
    line.users().forEach(user -> add(users, user.quota()));
    line.plans().values().forEach(plan -> add(users, plan));
    for (CallerOverride.ApiQuota api : line.apis()) {
      Bound.of(api.quota())
          .ifPresent(bound -> apis.add(new OfApi(ApiName.parse(api.name()), bound)));
    }
  }

  private static void add(List<Bound> bounds, @Nullable Quota quota) {
    Bound.of(quota).ifPresent(bounds::add);
  }

  /** Warns of one cost: names one quota that is too small, and says how many more are. */
  void check(Cost cost) {
    long permits = cost.rule().costPermits();
    Set<Bound> small = new LinkedHashSet<>(under(callers, permits));
    PerUser perUser = cost.rule().perUser();
    if (perUser == null || perUser.placement() == Placement.BESIDES) {
      small.addAll(under(users, permits));
    }
    if (canWrite(cost)) {
      small.addAll(under(writes, permits));
    }
    apis.stream()
        .filter(api -> api.bound().permits() < permits && api.name().meets(cost.api()))
        .forEach(api -> small.add(api.bound()));
    if (!small.isEmpty()) {
      problems.warning(cost.at(), words(permits, small.iterator().next(), small.size() - 1));
    }
  }

  /**
   * What is odd about an override: an api whose cost it never grants. Those that stand in place of
   * an api's own quota are checked elsewhere, as errors.
   */
  static Optional<String> of(OverridePlace place, Quota quota, QuotaTree tree) {
    Bound bound = Bound.of(quota).orElse(null);
    if (bound == null) {
      return Optional.empty();
    }
    List<ApiLine> refused =
        tree.api().lines().stream()
            .filter(line -> line.rule().costPermits() > Math.max(1, bound.permits()))
            .filter(line -> meets(place, line))
            .toList();
    return refused.isEmpty() ? Optional.empty() : Optional.of(words(bound, refused));
  }

  /** Whether requests to an api meet what an override is set for. */
  private static boolean meets(OverridePlace place, ApiLine line) {
    PerUser perUser = line.rule().perUser();
    int bar = place.subject().indexOf('|');
    return switch (place.layer()) {
      case NODE, CALLER -> true;
      case USER -> perUser == null || perUser.placement() == Placement.BESIDES;
      case API ->
          bar >= 0
              && ApiName.parse(place.subject().substring(bar + 1))
                  .meets(ApiName.parse(line.name()));
    };
  }

  private static String words(Bound bound, List<ApiLine> refused) {
    ApiLine first = refused.get(0);
    int others = refused.size() - 1;
    return "`%s` costs %d, which is over what `%s` ever grants, so such requests%s are always refused here; write a larger limit"
        .formatted(
            first.name(),
            first.rule().costPermits(),
            bound.limit().rate().text(),
            others == 0 ? "" : " and those to " + others + (others == 1 ? " other" : " others"));
  }

  private static List<Bound> under(List<Bound> sorted, long permits) {
    int end = 0;
    while (end < sorted.size() && sorted.get(end).permits() < permits) {
      end++;
    }
    return sorted.subList(0, end);
  }

  private static boolean canWrite(Cost cost) {
    if (cost.rule().effect() != Effect.BY_METHOD) {
      return cost.rule().effect() == Effect.WRITES;
    }
    String method = cost.api().method();
    return method == null || !READS.contains(method);
  }

  private static String words(long permits, Bound first, int others) {
    String more =
        others == 0 ? "" : " and " + others + (others == 1 ? " other quota" : " other quotas");
    return "a cost of %d is over what %s%s ever %s, so such requests are always refused there; write a smaller cost, or a larger limit"
        .formatted(permits, first.words(), more, others == 0 ? "grants" : "grant");
  }
}
