package io.quotatree.scenario;

import java.util.Objects;

/**
 * One thing that an author expects of a step.
 *
 * @param aspect what it is about
 * @param value the value expected, in the one spelling that {@link Aspect} gives each value
 * @param written the value as its author wrote it
 */
public record Expectation(Aspect aspect, String value, String written) {
  /** Refuses missing parts. */
  public Expectation {
    Objects.requireNonNull(aspect, "aspect");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(written, "written");
  }

  /** An expectation that did not come true. */
  public record Unmet(Expectation expectation, String came) {
    /** What was expected and what came, in a line. */
    public String text() {
      return expectation.aspect().word() + ": expected " + expectation.written() + ", came " + came;
    }
  }
}
