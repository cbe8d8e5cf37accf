package io.quotatree.core.policy;

import io.quotatree.core.limit.Quota;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The quotas of the user layer.
 *
 * @param byDefault the quota of each user that no line names
 * @param writes besides, the quota of each user's writing requests
 * @param plans by plan, the quota of its users
 * @param anonymous who counts as nobody in particular, and their quota
 */
public record UserLines(
    @Nullable Quota byDefault,
    @Nullable Quota writes,
    Map<String, Quota> plans,
    Anonymous anonymous) {

  /** No quota in this layer. */
  public static final UserLines NONE = new UserLines(null, null, Map.of(), Anonymous.NONE);

  /** Copies the map. */
  public UserLines {
    plans = Map.copyOf(plans);
  }

  /**
   * Requests without a user of their own.
   *
   * @param ids user ids that count as none
   * @param quota what they may use; without it each address has the default of users
   * @param by whom a counter of theirs stands for
   */
  public record Anonymous(Set<String> ids, @Nullable Quota quota, By by) {

    /** The ids {@code ""} and {@code "0"}, without a quota. */
    public static final Anonymous NONE = new Anonymous(Set.of("", "0"), null, By.POOL);

    /** Copies the set. */
    public Anonymous {
      ids = Set.copyOf(ids);
    }
  }

  /** Whom a counter of anonymous requests stands for. */
  public enum By {
    /** All of a caller together. */
    POOL,
    /** Each address; IPv6 by /64. */
    IP,
    /** Each network: /24, or /48 of IPv6. */
    NETWORK,
    /** Each session, known by the first cookie among the unproven ids; else the address. */
    SESSION
  }
}
