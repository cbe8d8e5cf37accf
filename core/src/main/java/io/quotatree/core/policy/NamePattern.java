package io.quotatree.core.policy;

/** Patterns over names of callers, users and gateways: any text with at most one {@code *}. */
public final class NamePattern {

  private NamePattern() {}

  /** Whether the text holds a star. */
  public static boolean isPattern(String text) {
    return text.indexOf('*') >= 0;
  }

  /**
   * Refuses a text with more than one star.
   *
   * @throws IllegalArgumentException if there are two stars or more
   */
  public static void requireValid(String text) {
    if (text.indexOf('*') != text.lastIndexOf('*')) {
      throw new IllegalArgumentException("`" + text + "` holds more than one *; write one at most");
    }
  }

  /** Whether a name fits a pattern (or is the same text, where there is no star). */
  public static boolean fits(String pattern, String name) {
    int star = pattern.indexOf('*');
    if (star < 0) {
      return pattern.equals(name);
    }
    int tail = pattern.length() - star - 1;
    return name.length() >= star + tail
        && name.startsWith(pattern.substring(0, star))
        && name.regionMatches(name.length() - tail, pattern, star + 1, tail);
  }
}
