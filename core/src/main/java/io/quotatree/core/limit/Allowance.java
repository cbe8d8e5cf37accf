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
      requireDistinct(limits);
    }

    /** Two limits of one shape would share a counter, and each request be charged to it twice. */
    private static void requireDistinct(List<RateLimit> limits) {
      for (int i = 1; i < limits.size(); i++) {
        RateLimit limit = limits.get(i);
        if (limits.subList(0, i).stream().anyMatch(limit::sharesCounterWith)) {
          throw new IllegalArgumentException(
              "two limits by "
                  + limit.algorithm().word()
                  + " in "
                  + limit.rate().periodText()
                  + "; write the smaller alone, or another period");
        }
      }
    }
  }
}
