package io.quotatree.quotafile.yaml;

import java.util.Comparator;

/**
 * Something wrong or odd in a file, and what to write instead.
 *
 * @param severity whether the file can be used all the same
 * @param file the file's name as it was given
 * @param line the line, from 1
 * @param column the column, from 1
 * @param text what is wrong; what to write instead
 */
public record Problem(Severity severity, String file, int line, int column, String text) {

  /** In the order of the file. */
  static final Comparator<Problem> BY_PLACE =
      Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column);

  /** Whether a file can be used all the same. */
  public enum Severity {
    /** It cannot. */
    ERROR,
    /** It can: what is written is legal, and odd. */
    WARNING
  }

  /** {@code FILE:LINE:COLUMN: text}, as editors and terminals make links of. */
  @Override
  public String toString() {
    return file
        + ":"
        + line
        + ":"
        + column
        + ": "
        + (severity == Severity.WARNING ? "warning: " : "")
        + text;
  }
}
