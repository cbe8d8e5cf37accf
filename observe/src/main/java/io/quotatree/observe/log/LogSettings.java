package io.quotatree.observe.log;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * What is written down of decisions, and where.
 *
 * @param file the file; empty for the standard output
 * @param allowedPerMillion how many of a million allowed requests are written down; refused ones
 *     all are
 * @param users how users are named
 */
public record LogSettings(Optional<Path> file, int allowedPerMillion, Users users) {

  static final int ALL_PER_MILLION = 1_000_000;

  /** How users are named in the log. */
  public enum Users {
    /** By their ids and addresses. */
    NAMED,
    /** By salted hashes. */
    HASHED
  }

  /** Refuses a share that none can be. */
  public LogSettings {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(users, "users");
    if (allowedPerMillion < 0 || allowedPerMillion > ALL_PER_MILLION) {
      throw new IllegalArgumentException(
          allowedPerMillion + " of a million are no share: give 0 to " + ALL_PER_MILLION);
    }
  }
}
