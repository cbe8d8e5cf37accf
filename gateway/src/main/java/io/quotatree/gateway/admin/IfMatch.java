package io.quotatree.gateway.admin;

import io.quotatree.gateway.calls.Asked;
import io.quotatree.gateway.calls.CallException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The revisions that a request's {@code If-Match} lets it change (RFC 9110, 13.1.1). */
final class IfMatch {

  private static final Pattern TAGS =
      Pattern.compile("\\G\\s*(W/)?\"([\\x21\\x23-\\x7e]*)\"\\s*(,|$)");

  private IfMatch() {}

  /** The entity tag of a revision. */
  static String tag(long revision) {
    return "\"" + revision + "\"";
  }

  /**
   * Which revisions will do; all of them where the request says nothing.
   *
   * @throws CallException if it cannot be read: whoever sends it relies on it
   */
  static LongPredicate of(Asked asked) {
    List<String> fields = asked.headers().getAll("If-Match");
    String said = String.join(", ", fields).strip();
    if (fields.isEmpty() || said.equals("*")) {
      return revision -> true;
    }
    Set<String> tags = new HashSet<>();
    Matcher matcher = TAGS.matcher(said);
    int end = 0;
    while (matcher.find()) {
      // A weak tag never matches here.
      if (matcher.group(1) == null) {
        tags.add(matcher.group(2));
      }
      end = matcher.end();
    }
    if (end != said.length() || said.endsWith(",")) {
      throw CallException.of(
          400, "If-Match cannot be read; write the ETag that you got, with its quotes, or *");
    }
    return revision -> tags.contains(String.valueOf(revision));
  }
}
