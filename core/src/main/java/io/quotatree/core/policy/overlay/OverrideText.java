package io.quotatree.core.policy.overlay;

import io.quotatree.core.limit.Layer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Overrides as a text: one a line, its parts between tabs, and a last line that says how many there
 * are, so that half a text is not taken for all of them.
 */
public final class OverrideText {

  private static final String END = "end ";
  private static final int PARTS = 7;

  private OverrideText() {}

  /** The text of some overrides. */
  public static String write(List<TimedOverride> all) {
    StringBuilder text = new StringBuilder();
    for (TimedOverride one : all) {
      text.append(one.layer().word());
      part(one.subject(), text);
      part(one.quota(), text);
      part(one.since().toString(), text);
      part(one.until().toString(), text);
      part(one.by(), text);
      part(one.reason(), text);
      text.append('\n');
    }
    return text.append(END).append(all.size()).append('\n').toString();
  }

  private static void part(String part, StringBuilder text) {
    text.append('\t');
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      switch (c) {
        case '\t' -> text.append("\\t");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\\' -> text.append("\\\\");
        default -> text.append(c);
      }
    }
  }

  /**
   * The overrides of a text.
   *
   * @throws IllegalArgumentException with what is wrong in which line, counted from 1
   */
  public static List<TimedOverride> read(String text) {
    List<TimedOverride> all = new ArrayList<>();
    String[] lines = text.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      if (lines[i].startsWith(END)) {
        requireCount(lines[i], all.size(), i + 1);
        return all;
      }
      all.add(one(lines[i], i + 1));
    }
    throw new IllegalArgumentException("line " + lines.length + ": the last line is missing");
  }

  private static void requireCount(String end, int found, int line) {
    if (!end.equals(END + found)) {
      throw new IllegalArgumentException(
          "line " + line + ": `" + end + "`, and there are " + found + " overrides before it");
    }
  }

  private static TimedOverride one(String text, int line) {
    String[] parts = text.split("\t", -1);
    if (parts.length != PARTS) {
      throw new IllegalArgumentException(
          "line " + line + ": " + parts.length + " parts between tabs in place of " + PARTS);
    }
    try {
      return new TimedOverride(
          layer(parts[0]),
          plain(parts[1]),
          plain(parts[2]),
          Instant.parse(parts[3]),
          Instant.parse(parts[4]),
          plain(parts[5]),
          plain(parts[6]));
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new IllegalArgumentException("line " + line + ": " + e.getMessage(), e);
    }
  }

  private static Layer layer(String word) {
    for (Layer layer : Layer.values()) {
      if (layer.word().equals(word)) {
        return layer;
      }
    }
    throw new IllegalArgumentException("`" + word + "` is no layer");
  }

  private static String plain(String part) {
    if (part.indexOf('\\') < 0) {
      return part;
    }
    StringBuilder plain = new StringBuilder(part.length());
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c == '\\' && i + 1 < part.length()) {
        i++;
        c = unescaped(part.charAt(i));
      }
      plain.append(c);
    }
    return plain.toString();
  }

  private static char unescaped(char c) {
    return switch (c) {
      case 't' -> '\t';
      case 'n' -> '\n';
      case 'r' -> '\r';
      default -> c;
    };
  }
}
