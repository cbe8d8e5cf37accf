package io.quotatree.quotafile;

import io.quotatree.core.limit.Rate;
import io.quotatree.quotafile.yaml.Durations;
import io.quotatree.quotafile.yaml.JsonSchema;
import io.quotatree.quotafile.yaml.Numbers;
import io.quotatree.quotafile.yaml.Shape;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rate as it was written: {@code 100/min}, or a bare number whose period stands elsewhere.
 *
 * @param permits 1 to 10^9
 * @param period null for a bare number
 * @param text as it was written
 */
record WrittenRate(long permits, @Nullable Duration period, String text) {

  static final Shape.Words WORDS = new Shape.Words("a rate", "`100/min`");

  private static final Duration YEAR = Duration.ofDays(366);

  private static final Pattern WITH_UNIT =
      Pattern.compile("([0-9][0-9_]*(?:[kM](?= ))?) ?([A-Za-z]+)");

  /** The shape of a rate. */
  static Shape<WrittenRate> shape() {
    return Shape.parsed(WORDS, schema(""), WrittenRate::parse);
  }

  /**
   * The JSON Schema of a rate, of a bare number, or of other words: wider than what is right, so
   * that numbers need no second reading there.
   */
  static Map<String, Object> schema(String words) {
    String rate = "[0-9][0-9_]*[kM]?(/[0-9]*(" + Durations.unitPattern() + "))?";
    String pattern = words.isEmpty() ? "^" + rate + "$" : "^(" + words + "|" + rate + ")$";
    return JsonSchema.anyOf(JsonSchema.text(pattern), JsonSchema.integer(1, Rate.MAX_PERMITS));
  }

  /**
   * Reads a rate.
   *
   * @throws IllegalArgumentException with what is wrong and what to write instead
   */
  static WrittenRate parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      return new WrittenRate(permits(text, text), null, text);
    }
    long permits = permits(text.substring(0, slash), text);
    String per = text.substring(slash + 1);
    Duration period;
    try {
      period = Durations.period(per);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("`" + text + "` is not a rate: " + e.getMessage(), e);
    }
    if (period.isZero() || period.compareTo(YEAR) > 0) {
      throw new IllegalArgumentException(
          "`" + text + "` has a period out of bounds; write one from 1ms to 366day");
    }
    return new WrittenRate(permits, period, text);
  }

  private static long permits(String written, String text) {
    Long permits = Numbers.whole(written);
    if (permits == null) {
      throw new IllegalArgumentException(notPermits(written, text));
    }
    if (permits == 0) {
      throw new IllegalArgumentException("`" + text + "` grants nothing; write `blocked`");
    }
    if (permits > Rate.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "`"
              + text
              + "` has too many permits; write at most 1_000_000_000, over a shorter period, or `unlimited`");
    }
    return permits;
  }

  private static String notPermits(String written, String text) {
    int slash = text.indexOf('/');
    Matcher unit = WITH_UNIT.matcher(written);
    if (slash >= 0 && unit.matches()) {
      return "`"
          + text
          + "` counts "
          + unit.group(2)
          + ", and quotas count requests; write requests, such as `"
          + unit.group(1)
          + text.substring(slash)
          + "`";
    }
    if (text.indexOf(' ') >= 0 && Numbers.whole(written.strip()) != null) {
      return "`" + text + "` has spaces; write `" + text.replace(" ", "") + "`";
    }
    if (WrittenLimit.Word.of(text).isPresent()) {
      return "`" + text + "` is no rate; write it alone, as `limit: " + text + "`";
    }
    return "`"
        + text
        + "` is not a rate; write whole permits per period, such as `100/min` or `3/2s`";
  }

  /** This rate with the period that bare numbers have. */
  Rate with(@Nullable Duration barePeriod) {
    Duration in = period == null ? barePeriod : period;
    if (in == null) {
      throw new IllegalArgumentException(
          "`"
              + text
              + "` has no period; write `"
              + text
              + "/s` or `"
              + text
              + "/min`, or give all bare numbers one with `quotas.defaults.period`");
    }
    long micros = in.toMillis() * 1_000;
    return period == null
        ? new Rate(
            permits,
            micros,
            text + Rate.of(permits, micros).text().substring(String.valueOf(permits).length()))
        : new Rate(permits, micros, text);
  }
}
