package io.quotatree.core.limit;

import java.util.List;

/** How much a quota allows per time. */
public sealed interface Allowance {

  /** No limit and no counter. */
  Allowance UNLIMITED = new Unlimited();

  /** Nothing at all. */
  Allowance BLOCKED = new Blocked();

  /** No limit and no counter. */
  record Unlimited() implements Allowance {}

  /** Refused before any limit is asked. */
  record Blocked() implements Allowance {}

  /**
   * Limits that must all grant.
   *
   * @param limits at least one, in the order in which they are asked
   */
  record Limited(List<RateLimit> limits) implements Allowance {
    /** Copies the list and refuses an empty one. */
    public Limited {
      limits = List.copyOf(limits);
      if (limits.isEmpty()) {
        throw new IllegalArgumentException("no limits; write Allowance.UNLIMITED or BLOCKED");
      }
    }
  }
}
