package io.quotatree.testkit.oracle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which api names a request fits, and which of them is the most specific. */
final class Apis {

  private static final Pattern VARIABLE = Pattern.compile("\\{[^/}]*}");

  private Apis() {}

  /** Whether a request of this method and canonical path fits a name. */
  static boolean fits(String name, String method, String path) {
    String wanted = method(name);
    String asked = method.equals("HEAD") ? "GET" : method;
    return (wanted.isEmpty() || wanted.equals(asked)) && path.matches(expression(path(name)));
  }

  /** The place of the most specific name that a request fits. */
  static Optional<Integer> best(List<String> names, String method, String path) {
    List<Integer> fitting = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (fits(names.get(i), method, path)) {
        fitting.add(i);
      }
    }
    // Stable: of equals the earlier line stays first.
    fitting.sort(Comparator.comparing(names::get, Apis::moreSpecificFirst));
    return fitting.stream().findFirst();
  }

  private static int moreSpecificFirst(String a, String b) {
    return Comparator.comparing((String name) -> variables(name) > 0 || hasRest(name))
        .thenComparing(Comparator.comparing(Apis::literals).reversed())
        .thenComparing(Apis::variables)
        .thenComparing(Apis::hasRest)
        .thenComparing(name -> method(name).isEmpty())
        .compare(a, b);
  }

  private static String method(String name) {
    int space = name.indexOf(' ');
    return space < 0 ? "" : name.substring(0, space);
  }

  private static String path(String name) {
    return name.substring(name.indexOf(' ') + 1);
  }

  private static boolean hasRest(String name) {
    return name.endsWith("/**");
  }

  private static int variables(String name) {
    return (int) VARIABLE.matcher(name).results().count();
  }

  private static int literals(String name) {
    String path = path(name);
    String bare = hasRest(path) ? path.substring(0, path.length() - 3) : path;
    return VARIABLE.matcher(bare).replaceAll("").length();
  }

  private static String expression(String path) {
    boolean rest = hasRest(path);
    StringBuilder expression = new StringBuilder();
    String bare = rest ? path.substring(0, path.length() - 3) : path;
    for (String segment : bare.isEmpty() ? new String[0] : bare.substring(1).split("/", -1)) {
      boolean variable = VARIABLE.matcher(segment).matches();
      expression.append('/').append(variable ? "[^/]+" : Pattern.quote(segment));
    }
    return expression.append(rest ? "(/.*)?" : "").toString();
  }
}
