package io.quotatree.testkit.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Which api names a request fits, and which of them is the most specific. */
final class Apis {

  private static final Comparator<ApiText> MOST_SPECIFIC_FIRST =
      Comparator.comparing((ApiText name) -> name.variables() > 0 || name.hasRest())
          .thenComparing(Comparator.comparing(ApiText::literals).reversed())
          .thenComparing(ApiText::variables)
          .thenComparing(ApiText::hasRest)
          .thenComparing(name -> name.method().isEmpty());

  private Apis() {}

  /** Whether a request of this method and canonical path fits a name. */
  static boolean fits(String name, String method, String path) {
    return ApiText.of(name).fits(method, path);
  }

  /** The place of the most specific name that a request fits. */
  static Optional<Integer> best(List<String> names, String method, String path) {
    List<ApiText> fitting = new ArrayList<>();
    for (String name : names) {
      if (fits(name, method, path)) {
        fitting.add(ApiText.of(name));
      }
    }
    // The first of equals: the earlier line.
    return fitting.stream().min(MOST_SPECIFIC_FIRST).map(best -> names.indexOf(best.name()));
  }

  /**
   * A name taken apart.
   *
   * @param name the whole
   * @param method its method; empty for every method
   * @param segments of its path, without the rest
   * @param hasRest whether it ends in {@code /**}
   */
  private record ApiText(String name, String method, List<String> segments, boolean hasRest) {

    static ApiText of(String name) {
      int space = name.indexOf(' ');
      String path = name.substring(space + 1);
      boolean rest = path.endsWith("/**");
      String bare = rest ? path.substring(0, path.length() - 3) : path;
      return new ApiText(name, name.substring(0, Math.max(0, space)), split(bare), rest);
    }

    boolean fits(String requestMethod, String path) {
      String asked = requestMethod.equals("HEAD") ? "GET" : requestMethod;
      if (!method.isEmpty() && !method.equals(asked)) {
        return false;
      }
      List<String> given = split(path);
      if (given.size() < segments.size() || (!hasRest && given.size() > segments.size())) {
        return false;
      }
      for (int i = 0; i < segments.size(); i++) {
        boolean variable = isVariable(segments.get(i)) && !given.get(i).isEmpty();
        if (!variable && !segments.get(i).equals(given.get(i))) {
          return false;
        }
      }
      return true;
    }

    int variables() {
      return (int) segments.stream().filter(ApiText::isVariable).count();
    }

    /** Slashes count; those of {@code /**} do not. */
    int literals() {
      return segments.stream().mapToInt(s -> 1 + (isVariable(s) ? 0 : s.length())).sum();
    }

    private static boolean isVariable(String segment) {
      return segment.startsWith("{") && segment.endsWith("}");
    }

    private static List<String> split(String path) {
      return path.isEmpty() ? List.of() : Arrays.asList(path.substring(1).split("/", -1));
    }
  }
}
