package io.quotatree.core.policy;

import io.quotatree.core.limit.Quota;
import java.util.Objects;

/**
 * A quota for the names that a pattern fits.
 *
 * @param pattern a name, or a pattern with one {@code *}
 * @param quota the whole quota of each name that fits; each has its own counters
 */
public record Line(String pattern, Quota quota) {
  /** Refuses a pattern with two stars. */
  public Line {
    NamePattern.requireValid(pattern);
    Objects.requireNonNull(quota, "quota");
  }
}
