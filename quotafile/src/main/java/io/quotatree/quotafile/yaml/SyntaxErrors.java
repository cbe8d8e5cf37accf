package io.quotatree.quotafile.yaml;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** What the YAML parser complains of, in words of people who write quota files. */
final class SyntaxErrors {

  private static final Pattern STRANGE =
      Pattern.compile(
          "[^\\x20-\\x7E\\t\\n\\r\\x85\\xA0-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]");

  private static final Pattern END = Pattern.compile("end of stream|stream end");

  /**
   * @param part part of the parser's complaint
   * @param words what to say instead
   */
  private record Complaint(String part, String words) {}

  /** The first that fits is told. */
  private static final List<Complaint> COMPLAINTS =
      List.of(
          new Complaint(
              "mapping values are not allowed",
              "a `: ` where no key can be; begin a new line for it, align it with its neighbours, or put the value in quotes"),
          new Complaint("\\t(TAB)", "a tab; indent with spaces"),
          new Complaint("'\t'", "a tab; indent with spaces"),
          new Complaint(
              "but found '<block mapping start>'",
              "this line is indented deeper than its neighbours; align it with them"),
          new Complaint(
              "expected <block end>",
              "this line is aligned with nothing above it; align it with its neighbours, and close all brackets"),
          new Complaint(
              "could not find expected ':'", "a key without its `: `; write `key: value`"),
          new Complaint(
              "expected ',' or '}'",
              "a `{` that is not closed, or a comma too few; write `, ` between its parts and `}` at its end, and put names with `{` in quotes"),
          new Complaint(
              "expected ',' or ']'",
              "a `[` that is not closed, or a comma too few; write `, ` between its items and `]` at its end"),
          new Complaint("unexpected end of stream", "a quote that is not closed; write its end"),
          new Complaint(
              "unknown escape character",
              "a `\\` that begins no escape; write it twice, or use single quotes"),
          new Complaint("cannot start any token", "a value cannot begin so; put it in quotes"),
          new Complaint(
              "alphabetic or numeric character",
              "`*` or `&` begins a name in YAML; put the value in quotes"),
          new Complaint(
              "unexpected character found",
              "`*` or `&` begins a name in YAML; put the value in quotes"));

  private SyntaxErrors() {}

  static void tell(YamlEngineException e, Problems problems) {
    if (e instanceof MarkedYamlEngineException marked) {
      // What is not closed is told where it opens.
      boolean unclosed = marked.getProblem() != null && END.matcher(marked.getProblem()).find();
      Mark mark =
          (unclosed ? marked.getContextMark() : marked.getProblemMark())
              .or(marked::getProblemMark)
              .or(marked::getContextMark)
              .orElse(null);
      int line = mark == null ? 1 : mark.getLine() + 1;
      int column = mark == null ? 1 : mark.getColumn() + 1;
      problems.error(line, column, "not YAML: " + words(marked.getProblem()));
    } else {
      problems.error(1, 1, "not YAML: " + e.getMessage());
    }
  }

  private static String words(@Nullable String problem) {
    String told = problem == null ? "" : problem;
    for (Complaint complaint : COMPLAINTS) {
      if (told.contains(complaint.part())) {
        return complaint.words();
      }
    }
    return told + "; put values that hold signs of YAML in quotes";
  }

  /** The index of the first character that YAML forbids; -1 where there is none. */
  static int strangeCharacter(String text) {
    Matcher strange = STRANGE.matcher(text);
    return strange.find() ? strange.start() : -1;
  }
}
