package io.quotatree.bench.measure;

import io.quotatree.bench.load.Job;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A contender at a job.
 *
 * @param contender its name
 * @param job what it is measured at
 * @param core where its classes of the core come from; empty for this build's
 */
public record Entrant(String contender, Job job, Optional<Path> core) {

  /** A contender of this build. */
  public static Entrant of(String contender, Job job) {
    return new Entrant(contender, job, Optional.empty());
  }
}
