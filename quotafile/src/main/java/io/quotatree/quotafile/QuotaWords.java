package io.quotatree.quotafile;

import io.quotatree.core.limit.Accounting;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Quotas in short words: {@code token_bucket 100/min burst 5, 3 in flight, loose, shadow}. Only
 * what is unusual is said.
 */
final class QuotaWords {

  private QuotaWords() {}

  static String of(@Nullable Quota quota) {
    if (quota == null) {
      return "none";
    }
    List<String> words = new ArrayList<>();
    if (quota.allowance() instanceof Allowance.Limited limited) {
      for (RateLimit limit : limited.limits()) {
        String details = details(limit);
        words.add(
            limit.algorithm().word()
                + " "
                + limit.rate().text()
                + (details.isEmpty() ? "" : " " + details));
      }
    } else {
      words.add(quota.allowance() instanceof Allowance.Blocked ? "blocked" : "unlimited");
    }
    quota.concurrency().ifPresent(most -> words.add(most + " in flight"));
    if (quota.accounting() == Accounting.LOOSE) {
      words.add(quota.accounting().word());
    }
    quota.onFailure().ifPresent(said -> words.add("on_failure " + said.word()));
    if (quota.enforcement() == Enforcement.SHADOW) {
      words.add("shadow");
    }
    return String.join(", ", words);
  }

  /** What is unusual in how a limit is counted; empty where nothing is. */
  static String details(RateLimit limit) {
    RateLimit usual = RateLimit.of(limit.algorithm(), limit.rate());
    if (limit.burstPermits() != usual.burstPermits()) {
      return "burst " + limit.burstPermits();
    }
    if (limit.slices() != usual.slices()) {
      return limit.slices() + " slices";
    }
    return limit.stagger() == usual.stagger() ? "" : "not staggered";
  }
}
