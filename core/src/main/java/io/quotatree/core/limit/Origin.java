package io.quotatree.core.limit;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a quota was written.
 *
 * @param place the line's place in the tree, as a person would name it: {@code
 *     caller.overrides.app-a}
 * @param line its line in the file, from 1; 0 where it was not read from a file
 * @param column its column in the file, from 1; 0 where it was not read from a file
 * @param until when it ends by itself, as an override does that an operator set; empty for a quota
 *     without an end
 */
public record Origin(String place, int line, int column, Optional<Instant> until) {

  /** Refuses missing parts. */
  public Origin {
    Objects.requireNonNull(place, "place");
    Objects.requireNonNull(until, "until");
  }

  /** A place in a file. */
  public Origin(String place, int line, int column) {
    this(place, line, column, Optional.empty());
  }

  /** A quota made by code rather than read from a file. */
  public static Origin code(String place) {
    return new Origin(place, 0, 0);
  }

  /** A quota that an operator set for a time. */
  public static Origin override(String place, Instant until) {
    return new Origin(place, 0, 0, Optional.of(until));
  }
}
