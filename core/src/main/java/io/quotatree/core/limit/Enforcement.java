package io.quotatree.core.limit;

/** Whether a quota decides, or only tells what it would have decided. */
public enum Enforcement {
  /** The quota refuses what is over it. */
  ENFORCED,
  /** The quota counts and tells, and never refuses. */
  SHADOW
}
