package io.quotatree.redis;

import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/** What is known of the policies that somebody still decides by. */
final class Policies {

  private record Newest(Policy policy, KnownPolicy known) {}

  private final String prefix;

  /** Guarded by this object's monitor. */
  private final Map<Policy, KnownPolicy> known = new WeakHashMap<>();

  private @Nullable QuotaTree newestTree;
  private Revision newestRevision = Revision.FORGOTTEN;

  /** Replaced by each adoption; a decision reads it once. */
  private volatile @Nullable Newest newest;

  Policies(String prefix) {
    this.prefix = prefix;
  }

  /** Makes a policy the newest. Policies of one tree in a row are of one revision. */
  synchronized Revision adopt(Policy policy) {
    if (!policy.tree().equals(newestTree)) {
      newestTree = policy.tree();
      newestRevision = Revision.of(policy.tree());
    }
    KnownPolicy made = known.get(policy);
    if (made == null || made.revision != newestRevision) {
      made = new KnownPolicy(policy, newestRevision, prefix);
      known.put(policy, made);
    }
    newest = new Newest(policy, made);
    return newestRevision;
  }

  /** The state of the quotas that was adopted last. */
  synchronized Revision newest() {
    return newestRevision;
  }

  /** The policy that was adopted last, as one of so many gateways enforces it; null before that. */
  @Nullable Policy newestShare(int gateways, Fallback fallback) {
    Newest last = newest;
    return last == null ? null : last.known.share(last.policy, gateways, fallback);
  }

  KnownPolicy of(Policy policy) {
    Newest last = newest;
    return last != null && last.policy == policy ? last.known : older(policy);
  }

  /** One that was never adopted counts as older than all. */
  private synchronized KnownPolicy older(Policy policy) {
    return known.computeIfAbsent(policy, p -> new KnownPolicy(p, Revision.FORGOTTEN, prefix));
  }
}
