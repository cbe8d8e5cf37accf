package io.quotatree.core.policy;

import io.quotatree.core.limit.Quota;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The quotas of the caller layer.
 *
 * @param byDefault the quota of each caller that no line names
 * @param overrides lines for some callers
 */
public record CallerLines(@Nullable Quota byDefault, List<CallerOverride> overrides) {

  /** No quota in this layer. */
  public static final CallerLines NONE = new CallerLines(null, List.of());

  /** Copies the list. */
  public CallerLines {
    overrides = List.copyOf(overrides);
  }
}
