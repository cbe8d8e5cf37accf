package io.quotatree.scenario;

import io.quotatree.core.policy.QuotaTree;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Quotas and a timed list of requests with what each must get, read and checked.
 *
 * @param file the file it was read from, as its reader was told
 * @param name what it shows, in its author's words
 * @param quotas the quotas in force at the start
 * @param start the wall time at which it begins
 * @param steps what happens, in order of time
 */
public record Scenario(
    String file, String name, QuotaTree quotas, Instant start, List<Step> steps) {

  /** The gateway that takes a request which names none. */
  public static final String DEFAULT_INSTANCE = "a";

  /** When a scenario begins that does not say. */
  public static final Instant DEFAULT_START = Instant.parse("2026-01-01T00:00:00Z");

  /** Copies the steps. */
  public Scenario {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(quotas, "quotas");
    Objects.requireNonNull(start, "start");
    steps = List.copyOf(steps);
  }
}
