package io.quotatree.observe;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import java.util.List;

/** Tells how full a subject's limits are: a limiter's {@code peek}. */
@FunctionalInterface
public interface UsageReader {

  /** The limits of a subject, in the order in which they are asked; none where it has none. */
  List<LimitState> usage(Layer layer, String subject);
}
