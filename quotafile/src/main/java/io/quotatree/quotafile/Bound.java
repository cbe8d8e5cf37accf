package io.quotatree.quotafile;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The most that one request may cost under a quota.
 *
 * @param quota the quota
 * @param limit the limit of it that holds least
 */
record Bound(Quota quota, RateLimit limit) {

  /** A quota's bound; empty where it refuses no cost for ever. */
  static Optional<Bound> of(@Nullable Quota quota) {
    if (quota == null
        || quota.enforcement() == Enforcement.SHADOW
        || !(quota.allowance() instanceof Allowance.Limited limited)) {
      return Optional.empty();
    }
    return limited.limits().stream()
        // A leaky bucket takes as many turns as a request costs, whatever its burst.
        .filter(limit -> limit.algorithm() != AlgorithmName.LEAKY_BUCKET)
        .min(Comparator.comparingLong(RateLimit::capacityPermits))
        .map(limit -> new Bound(quota, limit));
  }

  long permits() {
    return limit.capacityPermits();
  }

  /** In words, with its place. */
  String words() {
    String details = QuotaWords.details(limit);
    return "`%s`%s of `%s` at %d:%d"
        .formatted(
            limit.rate().text(),
            details.startsWith("burst") ? " with " + details : "",
            quota.origin().place(),
            quota.origin().line(),
            quota.origin().column());
  }
}
