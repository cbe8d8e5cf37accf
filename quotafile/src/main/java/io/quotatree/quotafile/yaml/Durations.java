package io.quotatree.quotafile.yaml;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times as quota files write them: a whole number and a unit, {@code 3s}, {@code 100ms}, {@code
 * 1day}.
 */
public final class Durations {

  private static final Map<String, Duration> UNITS = units();
  private static final Pattern FORM = Pattern.compile("([0-9]*)([A-Za-z]+)");
  private static final String PATTERN = "^[0-9]+(" + String.join("|", UNITS.keySet()) + ")$";
  private static final String KNOWN = "`ms`, `s`, `min`, `h` or `day`";

  private Durations() {}

  private static Map<String, Duration> units() {
    Map<String, Duration> units = new LinkedHashMap<>();
    units.put("ms", Duration.ofMillis(1));
    units.put("s", Duration.ofSeconds(1));
    units.put("min", Duration.ofMinutes(1));
    units.put("h", Duration.ofHours(1));
    units.put("day", Duration.ofDays(1));
    units.put("second", Duration.ofSeconds(1));
    units.put("minute", Duration.ofMinutes(1));
    units.put("hour", Duration.ofHours(1));
    return units;
  }

  /** The units' names, as an alternative of a regular expression. */
  public static String unitPattern() {
    return String.join("|", UNITS.keySet());
  }

  /**
   * A time: a whole number and a unit.
   *
   * @throws IllegalArgumentException with what is wrong and what to write instead
   */
  public static Duration parse(String text) {
    if (Numbers.whole(text) != null) {
      throw new IllegalArgumentException(
          "`" + text + "` has no unit; write `" + text + "s` or another of " + KNOWN);
    }
    if (!text.isEmpty() && !Character.isDigit(text.charAt(0))) {
      throw new IllegalArgumentException(
          "`" + text + "` is not a time; write a whole number and its unit, such as `3s`");
    }
    return period(text);
  }

  /**
   * A period: a unit, or a whole number and a unit.
   *
   * @throws IllegalArgumentException with what is wrong and what to write instead
   */
  public static Duration period(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "`"
              + text
              + "` is not a time; write a whole number and its unit, such as `3s` or `1min`");
    }
    Duration unit = UNITS.get(matcher.group(2));
    if (unit == null) {
      throw new IllegalArgumentException(unknown(matcher.group(1), matcher.group(2)));
    }
    Long number = matcher.group(1).isEmpty() ? Long.valueOf(1) : Numbers.whole(matcher.group(1));
    if (number == null || number > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "`" + text + "` is too long; write at most " + Integer.MAX_VALUE + " of a unit");
    }
    return unit.multipliedBy(number);
  }

  private static String unknown(String number, String unit) {
    String what = "`" + unit + "` is no unit of time here; ";
    return switch (unit) {
      case "m" -> what + "write `" + number + "min` (or `ms`)";
      case "d", "days" -> what + "write `" + number + "day`";
      case "w", "week", "weeks" -> what + "write days, such as `7day`";
      case "month", "months" -> what + "write days, such as `30day`";
      case "y", "year", "years" -> what + "write days, such as `365day`";
      default ->
          what
              + Nearest.of(unit, UNITS.keySet())
                  .map(near -> "write `" + number + near + "`")
                  .orElse("write one of " + KNOWN);
    };
  }

  /** The shape of a time between two bounds. */
  public static Shape<Duration> shape(Duration least, Duration most) {
    return Shape.text(
        new Shape.Words("a time", "`3s`"),
        PATTERN,
        text -> {
          Duration read = parse(text);
          if (read.compareTo(least) < 0 || read.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                "`" + text + "` is out of bounds; write " + words(least) + " to " + words(most));
          }
          return read;
        });
  }

  /** A time in the largest unit that divides it: {@code 90s}. */
  public static String words(Duration time) {
    String words = time.toMillis() + "ms";
    for (String unit : new String[] {"s", "min", "h", "day"}) {
      long millis = UNITS.getOrDefault(unit, Duration.ZERO).toMillis();
      if (millis > 0 && !time.isZero() && time.toMillis() % millis == 0) {
        words = time.toMillis() / millis + unit;
      }
    }
    return words;
  }
}
