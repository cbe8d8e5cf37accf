package io.quotatree.quotafile.yaml;

import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A YAML value as one line that is JSON and YAML alike, to be kept and read again. */
public final class FlowText {

  private static final Set<String> WORDS = Set.of("true", "false", "null");
  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]{0,17})");

  private FlowText() {}

  /** The line. */
  public static String of(Yaml value) {
    if (value instanceof Yaml.Scalar scalar) {
      return scalar(scalar);
    }
    if (value instanceof Yaml.Sequence sequence) {
      return sequence.items().stream()
          .map(FlowText::of)
          .collect(Collectors.joining(", ", "[", "]"));
    }
    return ((Yaml.Mapping) value)
        .entries().stream()
            .map(entry -> quoted(entry.key().text()) + ": " + of(entry.value()))
            .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String scalar(Yaml.Scalar scalar) {
    boolean bare =
        scalar.quoting() == Yaml.Quoting.PLAIN
            && (WORDS.contains(scalar.text()) || NUMBER.matcher(scalar.text()).matches());
    return bare ? scalar.text() : quoted(scalar.text());
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
