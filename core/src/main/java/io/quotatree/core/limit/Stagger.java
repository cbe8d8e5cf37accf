package io.quotatree.core.limit;

/** Whether the fixed windows of different subjects begin at different moments. */
public enum Stagger {
  /** Each subject's windows are moved by an offset of its own, so that not all refresh at once. */
  STAGGERED,
  /** Windows begin at whole periods since the Unix epoch. */
  ALIGNED
}
