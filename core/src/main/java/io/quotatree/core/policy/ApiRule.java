package io.quotatree.core.policy;

import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What holds for one api.
 *
 * @param quota the api's own quota, over all callers
 * @param perCaller besides, what each caller may use of it
 * @param perUser besides, what each user may use of it
 * @param costPermits what a request takes that brings no cost of its own, 0 to 10^9
 * @param rank when it is asked
 * @param effect which of its requests count as writes
 */
public record ApiRule(
    @Nullable Quota quota,
    @Nullable Quota perCaller,
    @Nullable PerUser perUser,
    long costPermits,
    Rank rank,
    Effect effect) {

  /** No quota, cost 1, the usual order, writes by method. */
  public static final ApiRule NONE = of(null);

  /** Refuses a cost that no request may have. */
  public ApiRule {
    Objects.requireNonNull(rank, "rank");
    Objects.requireNonNull(effect, "effect");
    if (costPermits < 0 || costPermits > Rate.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "a cost of " + costPermits + "; write 0 to " + Rate.MAX_PERMITS);
    }
  }

  /** A rule that says nothing but a quota. */
  public static ApiRule of(@Nullable Quota quota) {
    return new ApiRule(quota, null, null, 1, Rank.USUAL, Effect.BY_METHOD);
  }

  /** When an api's quotas are asked. */
  public enum Rank {
    /** Where the order of layers says. */
    USUAL,
    /** Just before the user layer, where the order would have it later. */
    PRIORITY
  }

  /** Which requests to an api count as writes. */
  public enum Effect {
    /** All but GET, HEAD, OPTIONS and TRACE. */
    BY_METHOD,
    /** All. */
    WRITES,
    /** None. */
    READS
  }

  /** Whether per-user quotas of an api stand besides the user layer's or in their place. */
  public enum Placement {
    /** Besides the user layer's quota. */
    BESIDES,
    /** In place of the user layer's quota, of which only {@code writes} is left. */
    INSTEAD
  }

  /**
   * What each user may use of an api.
   *
   * @param quota of a user whose plan no entry names
   * @param plans by plan
   * @param placement besides the user layer or in its place
   */
  public record PerUser(@Nullable Quota quota, Map<String, Quota> plans, Placement placement) {
    /** Copies the map. */
    public PerUser {
      plans = Map.copyOf(plans);
      Objects.requireNonNull(placement, "placement");
    }
  }
}
