package io.quotatree.core.policy.overlay;

import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.Line;
import io.quotatree.core.policy.NamePattern;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lines for names: which is that of a name, and the same lines with one for that name alone. */
final class Lines {

  private Lines() {}

  /**
   * The line that holds for a name: the exact one, else that with the longest literal text, else
   * the earlier of equals; null for none.
   */
  static <T> @Nullable T of(List<T> lines, Function<T, String> pattern, String name) {
    T found = null;
    int longest = -1;
    for (T line : lines) {
      String text = pattern.apply(line);
      if (text.equals(name)) {
        return line;
      }
      // A star is no literal text.
      int literal = text.length() - 1;
      if (NamePattern.isPattern(text) && literal > longest && NamePattern.fits(text, name)) {
        found = line;
        longest = literal;
      }
    }
    return found;
  }

  static @Nullable Quota of(List<Line> lines, String name) {
    Line line = of(lines, Line::pattern, name);
    return line == null ? null : line.quota();
  }

  /** The same lines with one for a name before them all, in place of what was there for it. */
  static <T> List<T> with(List<T> lines, Function<T, String> pattern, T line) {
    List<T> changed = new ArrayList<>();
    changed.add(line);
    String name = pattern.apply(line);
    lines.stream().filter(other -> !pattern.apply(other).equals(name)).forEach(changed::add);
    return changed;
  }

  static List<Line> with(List<Line> lines, String name, Quota quota) {
    return with(lines, Line::pattern, new Line(name, quota));
  }
}
