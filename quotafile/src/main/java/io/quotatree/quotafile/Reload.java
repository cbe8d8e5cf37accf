package io.quotatree.quotafile;

import io.quotatree.quotafile.yaml.Problem;
import java.util.List;

/** What came of a changed file. */
public sealed interface Reload {

  /**
   * The file is right, and is to be put in force.
   *
   * @param file what it says
   * @param warnings what is legal and odd in it
   * @param difference what it changes; empty where the file says what was in force already
   */
  record Taken(QuotaFile file, List<Problem> warnings, Difference difference) implements Reload {
    /** Copies the list. */
    public Taken {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * The file has errors or cannot be read; what is in force stays.
   *
   * @param errors all that is wrong, at least one
   */
  record Refused(List<Problem> errors) implements Reload {
    /** Copies the list. */
    public Refused {
      errors = List.copyOf(errors);
    }
  }
}
