package io.quotatree.testkit.oracle;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Which line of several a name of a caller, user or gateway belongs to. */
final class Patterns {

  private Patterns() {}

  /** The line with the exact name; else with the longest literal text; else the earlier. */
  static <T> Optional<T> best(List<T> lines, Function<T, String> pattern, String name) {
    T best = null;
    for (T line : lines) {
      boolean fits = fits(pattern.apply(line), name);
      if (fits && (best == null || beats(pattern.apply(line), pattern.apply(best)))) {
        best = line;
      }
    }
    return Optional.ofNullable(best);
  }

  private static boolean fits(String pattern, String name) {
    int star = pattern.indexOf('*');
    if (star < 0) {
      return pattern.equals(name);
    }
    String head = pattern.substring(0, star);
    String tail = pattern.substring(star + 1);
    return name.length() >= head.length() + tail.length()
        && name.startsWith(head)
        && name.endsWith(tail);
  }

  private static boolean beats(String pattern, String earlier) {
    boolean exact = pattern.indexOf('*') < 0;
    boolean earlierExact = earlier.indexOf('*') < 0;
    return exact == earlierExact ? pattern.length() > earlier.length() : exact;
  }
}
