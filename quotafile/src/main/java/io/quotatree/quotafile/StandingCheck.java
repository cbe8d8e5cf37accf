package io.quotatree.quotafile;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.ApiLines.ApiLine;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.ApiRule.PerUser;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.quotafile.yaml.Problems;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds quotas above the one they stand under: every request that they count, that one counts too,
 * so they never come to refuse.
 */
final class StandingCheck {

  private final Problems problems;

  StandingCheck(Problems problems) {
    this.problems = problems;
  }

  void check(QuotaTree tree) {
    Quota node = tree.node().fleet();
    Quota caller = tree.caller().byDefault();
    under(tree.node().instance(), node);
    tree.node().instances().forEach(line -> under(line.quota(), node));
    under(caller, node);
    users(caller, tree.user().byDefault(), tree.user().plans().values());
    under(tree.user().anonymous().quota(), caller);
    under(tree.user().writes(), tree.user().byDefault());
    for (CallerOverride line : tree.caller().overrides()) {
      under(line.quota(), node);
      users(line.quota(), line.user(), line.plans().values());
      line.users().forEach(user -> under(user.quota(), line.quota()));
      line.apis().forEach(api -> under(api.quota(), line.quota()));
    }
    rule(tree.api().unmatched(), node);
    for (ApiLine line : tree.api().lines()) {
      rule(line.rule(), node);
    }
    tree.api().groups().forEach(group -> under(group.quota(), node));
  }

  private void users(@Nullable Quota caller, @Nullable Quota user, Iterable<Quota> plans) {
    under(user, caller);
    plans.forEach(plan -> under(plan, caller));
  }

  private void rule(ApiRule rule, @Nullable Quota node) {
    under(rule.quota(), node);
    under(rule.perCaller(), rule.quota());
    PerUser perUser = rule.perUser();
    if (perUser != null) {
      Quota over = rule.perCaller() == null ? rule.quota() : rule.perCaller();
      users(over, perUser.quota(), perUser.plans().values());
    }
  }

  private void under(@Nullable Quota below, @Nullable Quota above) {
    if (below == null
        || above == null
        || below.equals(above)
        || above.enforcement() == Enforcement.SHADOW) {
      return;
    }
    if (below.allowance() instanceof Allowance.Limited its
        && above.allowance() instanceof Allowance.Limited others) {
      RateLimit first = its.limits().get(0);
      if (its.limits().stream().allMatch(limit -> overSome(limit, others.limits()))) {
        tell(
            below,
            "`" + first.rate().text() + "`",
            "`" + others.limits().get(0).rate().text() + "`",
            above);
      }
    }
    if (below.concurrency().isPresent()
        && above.concurrency().isPresent()
        && below.concurrency().getAsInt() > above.concurrency().getAsInt()) {
      tell(
          below,
          below.concurrency().getAsInt() + " in flight",
          above.concurrency().getAsInt() + " in flight",
          above);
    }
  }

  private void tell(Quota below, String more, String less, Quota above) {
    problems.warning(
        below.origin().line(),
        below.origin().column(),
        more
            + " is above the "
            + less
            + " of `"
            + above.origin().place()
            + "` at "
            + above.origin().line()
            + ":"
            + above.origin().column()
            + ", which it stands under, so it never comes to refuse; write less");
  }

  private static boolean overSome(RateLimit limit, List<RateLimit> others) {
    return others.stream().anyMatch(other -> over(limit, other));
  }

  /**
   * Whether a limit allows no less than another, at once and in the long run, and more in one of
   * them.
   */
  private static boolean over(RateLimit limit, RateLimit other) {
    int atOnce = Long.compare(limit.capacityPermits(), other.capacityPermits());
    int inTheLongRun = product(limit, other).compareTo(product(other, limit));
    return atOnce >= 0 && inTheLongRun >= 0 && atOnce + inTheLongRun > 0;
  }

  private static BigInteger product(RateLimit permits, RateLimit period) {
    return BigInteger.valueOf(permits.rate().permits())
        .multiply(BigInteger.valueOf(period.rate().periodMicros()));
  }
}
