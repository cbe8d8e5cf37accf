package io.quotatree.quotafile;

import io.quotatree.quotafile.yaml.Shape;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What is written down of decisions.
 *
 * @param decisions where to: a file's path, or {@link #STANDARD_OUTPUT}
 * @param allowedPerMillion how many of a million allowed requests are written down; refused ones
 *     all are
 * @param users how users are named
 */
public record Log(String decisions, int allowedPerMillion, Users users) {

  /** What stands for the standard output in place of a path. */
  public static final String STANDARD_OUTPUT = "stdout";

  /** The share of allowed requests where nothing is said: 1%. */
  public static final int USUAL_ALLOWED_PER_MILLION = 10_000;

  static final int ALL_PER_MILLION = 1_000_000;

  /** A share as it is written: {@code 1%}. */
  static final Shape<Integer> SHARE =
      Shape.text(
          new Shape.Words("a share", "`1%`"), "^[0-9]{1,3}(\\.[0-9]{1,4})?%$", Log::perMillion);

  private static final Pattern FORM = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,4})?%");

  /** How users are named in the log. */
  public enum Users {
    /** By their ids and addresses. */
    NAMED,
    /** By salted hashes. */
    HASHED
  }

  /** Refuses a share that none can be. */
  public Log {
    Objects.requireNonNull(decisions, "decisions");
    Objects.requireNonNull(users, "users");
    if (allowedPerMillion < 0 || allowedPerMillion > ALL_PER_MILLION) {
      throw new IllegalArgumentException(
          allowedPerMillion + " of a million are no share; write 0 to " + ALL_PER_MILLION);
    }
  }

  /** Whether it goes to the standard output. */
  public boolean isToStandardOutput() {
    return decisions.equals(STANDARD_OUTPUT);
  }

  private static int perMillion(String text) {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "`" + text + "` is no share; write a percentage such as `1%` or `0.01%`");
    }
    int share = new BigDecimal(text.substring(0, text.length() - 1)).movePointRight(4).intValue();
    if (share > ALL_PER_MILLION) {
      throw new IllegalArgumentException("`" + text + "` is out of bounds; write `0%` to `100%`");
    }
    return share;
  }

  /** The share as a file writes it. */
  String share() {
    return BigDecimal.valueOf(allowedPerMillion, 4).stripTrailingZeros().toPlainString() + "%";
  }
}
