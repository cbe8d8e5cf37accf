package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A quota that applies to a request.
 *
 * @param layer its layer
 * @param subject whose it is
 * @param quota the quota
 * @param sharing who uses it
 */
record AskedQuota(Layer layer, String subject, Quota quota, Sharing sharing) {

  /** Who uses a quota. */
  enum Sharing {
    /** One gateway, whose business is no caller's: never told when allowed. */
    INSTANCE,
    /** Callers of all kinds. */
    ALL,
    /** The caller or its user alone. */
    OWN,
    /** A user that the client made up: written as a user of that name, and counted apart. */
    MADE_UP
  }

  /** Whether a caller may be told how full it is, whatever he may be told of others'. */
  boolean own() {
    return sharing == Sharing.OWN || sharing == Sharing.MADE_UP;
  }

  boolean enforced() {
    return quota.enforcement() == Enforcement.ENFORCED;
  }

  boolean blocked() {
    return quota.allowance() instanceof Allowance.Blocked;
  }

  /** Its limits as written, then that on requests in flight; none where it is blocked. */
  List<AskedLimit> limits() {
    List<AskedLimit> limits = new ArrayList<>();
    if (blocked()) {
      return limits;
    }
    if (quota.allowance() instanceof Allowance.Limited limited) {
      limited.limits().forEach(rate -> limits.add(new AskedLimit(this, Optional.of(rate))));
    }
    if (quota.concurrency().isPresent()) {
      limits.add(new AskedLimit(this, Optional.empty()));
    }
    return limits;
  }
}
