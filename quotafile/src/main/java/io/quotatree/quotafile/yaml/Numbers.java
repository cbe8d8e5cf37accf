package io.quotatree.quotafile.yaml;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Whole numbers as people write them: {@code 10_000}, {@code 5k}, {@code 1M}. */
public final class Numbers {

  private static final Pattern WHOLE = Pattern.compile("([0-9][0-9_]*)([kM]?)");
  private static final int MOST_DIGITS = 12;

  private Numbers() {}

  /**
   * The number; {@link Long#MAX_VALUE} where it has more than twelve digits; null where it is none.
   */
  public static @Nullable Long whole(String text) {
    Matcher matcher = WHOLE.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    String digits = matcher.group(1).replace("_", "").replaceFirst("^0+(?=.)", "");
    if (digits.length() > MOST_DIGITS) {
      return Long.MAX_VALUE;
    }
    long number = Long.parseLong(digits);
    return switch (matcher.group(2)) {
      case "k" -> number * 1_000;
      case "M" -> number * 1_000_000;
      default -> number;
    };
  }
}
