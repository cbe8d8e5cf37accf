package io.quotatree.quotafile.yaml;

import io.quotatree.quotafile.yaml.Problem.Severity;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects all that is wrong or odd in one file. What is told twice is kept once, since a value
 * that several lines take over is looked at for each. Not safe for several threads.
 */
public final class Problems {

  /** The most of one severity that are kept; a file with more has one mistake many times. */
  static final int MOST = 1_000;

  private final String file;
  private final Set<Problem> errors = new LinkedHashSet<>();
  private final Set<Problem> warnings = new LinkedHashSet<>();

  /** For the file of this name. */
  public Problems(String file) {
    this.file = file;
  }

  /** Tells what is wrong at a value, and what to write instead. */
  public void error(Yaml at, String text) {
    error(at.line(), at.column(), text);
  }

  /** Tells what is wrong at a place, and what to write instead. */
  public void error(int line, int column, String text) {
    add(errors, new Problem(Severity.ERROR, file, line, column, text));
  }

  /** Tells what is legal and odd at a value. */
  public void warning(Yaml at, String text) {
    warning(at.line(), at.column(), text);
  }

  /** Tells what is legal and odd at a place. */
  public void warning(int line, int column, String text) {
    add(warnings, new Problem(Severity.WARNING, file, line, column, text));
  }

  /** An empty collection for the same file. */
  public Problems fresh() {
    return new Problems(file);
  }

  /** Adds all that another collection was told. */
  public void addAll(Problems others) {
    others.errors.forEach(problem -> add(errors, problem));
    others.warnings.forEach(problem -> add(warnings, problem));
  }

  /** Whether nothing is wrong so far. */
  public boolean sound() {
    return errors.isEmpty();
  }

  /** All errors, in the order of the file. */
  public List<Problem> errors() {
    return sorted(errors);
  }

  /** All warnings, in the order of the file. */
  public List<Problem> warnings() {
    return sorted(warnings);
  }

  private static void add(Set<Problem> problems, Problem problem) {
    // One more than is listed, which says that there are more.
    if (problems.size() <= MOST) {
      problems.add(problem);
    }
  }

  private List<Problem> sorted(Set<Problem> problems) {
    List<Problem> sorted = new ArrayList<>(problems);
    sorted.sort(Problem.BY_PLACE);
    if (sorted.size() > MOST) {
      Problem last = sorted.get(MOST);
      sorted.set(
          MOST,
          new Problem(
              last.severity(),
              file,
              last.line(),
              last.column(),
              "and more like these; mend them first"));
    }
    return List.copyOf(sorted);
  }
}
