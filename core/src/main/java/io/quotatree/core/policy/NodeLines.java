package io.quotatree.core.policy;

import io.quotatree.core.limit.Quota;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The quotas of the node layer.
 *
 * @param fleet what all gateways may take together
 * @param instance what each gateway may take alone
 * @param instances by node id, what some gateways may take instead of {@code instance}
 */
public record NodeLines(@Nullable Quota fleet, @Nullable Quota instance, List<Line> instances) {

  /** No quota in this layer. */
  public static final NodeLines NONE = new NodeLines(null, null, List.of());

  /** Copies the list. */
  public NodeLines {
    instances = List.copyOf(instances);
  }
}
