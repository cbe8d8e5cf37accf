package io.quotatree.quotafile;

import io.quotatree.quotafile.yaml.Problem;
import java.util.List;

/** What came of reading a quota file: the file, or all that is wrong with it. */
public sealed interface Reading {

  /**
   * A file that can be used.
   *
   * @param file what it says
   * @param warnings what is legal and odd, in the order of the file
   */
  record Sound(QuotaFile file, List<Problem> warnings) implements Reading {
    /** Copies the list. */
    public Sound {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * A file that cannot be used.
   *
   * @param errors all that is wrong, at least one, in the order of the file
   */
  record Faulty(List<Problem> errors) implements Reading {
    /** Copies the list and refuses an empty one. */
    public Faulty {
      errors = List.copyOf(errors);
      if (errors.isEmpty()) {
        throw new IllegalArgumentException("a faulty file without an error");
      }
    }
  }
}
