package io.quotatree.testkit.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The canonical spelling of tame paths: those without what a gateway refuses, and with no escapes
 * but of letters, digits and {@code . _ - ~}.
 */
final class TamePath {

  private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");

  private TamePath() {}

  static String canonical(String path) {
    List<String> segments = new ArrayList<>();
    for (String written : path.split("/", -1)) {
      String segment = decoded(written.split(";", 2)[0]);
      if (segment.equals("..")) {
        if (!segments.isEmpty()) {
          segments.remove(segments.size() - 1);
        }
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        segments.add(segment);
      }
    }
    return "/" + String.join("/", segments);
  }

  private static String decoded(String segment) {
    return ESCAPE.matcher(segment).replaceAll(TamePath::letter);
  }

  private static String letter(MatchResult escape) {
    char c = (char) Integer.parseInt(escape.group(1), 16);
    if (!Character.isLetterOrDigit(c) && "._-~".indexOf(c) < 0) {
      throw new IllegalArgumentException("`" + escape.group() + "` is not tame: escape letters");
    }
    return String.valueOf(c);
  }
}
