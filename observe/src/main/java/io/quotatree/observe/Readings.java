package io.quotatree.observe;

import io.quotatree.core.limit.Layer;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * Figures that others keep and that metrics only read, whenever somebody asks for them.
 *
 * @param subjects counters of a layer that the ledger holds now
 * @param overflows charges so far that went to an overflow counter because the ledger was full
 * @param inFlight requests that are under way now
 */
public record Readings(
    ToLongFunction<Layer> subjects, LongSupplier overflows, LongSupplier inFlight) {
  /** Refuses missing parts. */
  public Readings {
    Objects.requireNonNull(subjects, "subjects");
    Objects.requireNonNull(overflows, "overflows");
    Objects.requireNonNull(inFlight, "inFlight");
  }
}
