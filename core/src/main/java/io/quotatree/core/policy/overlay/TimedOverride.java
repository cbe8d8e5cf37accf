package io.quotatree.core.policy.overlay;

import io.quotatree.core.limit.Layer;
import java.time.Instant;
import java.util.Objects;

/**
 * A quota that an operator set for one subject, until it ends.
 *
 * @param layer the layer of the subject
 * @param subject the subject, as {@link OverridePlace#subject()} writes it
 * @param quota the quota, as its author wrote it
 * @param since when it was set, by the clock of the store
 * @param until when it ends, by that clock
 * @param by who set it
 * @param reason why; empty for no reason
 */
public record TimedOverride(
    Layer layer,
    String subject,
    String quota,
    Instant since,
    Instant until,
    String by,
    String reason) {

  /** The longest subject. */
  public static final int MOST_SUBJECT_CHARS = 2_000;

  /** The longest quota, as it is written. */
  public static final int MOST_QUOTA_CHARS = 2_000;

  /** The longest reason, and the longest name of an author. */
  public static final int MOST_REASON_CHARS = 1_000;

  /** Refuses what is too long, and an end before the beginning. */
  public TimedOverride {
    Objects.requireNonNull(layer, "layer");
    requireShort("a subject", subject, MOST_SUBJECT_CHARS);
    requireShort("a quota", quota, MOST_QUOTA_CHARS);
    requireShort("an author", by, MOST_REASON_CHARS);
    requireShort("a reason", reason, MOST_REASON_CHARS);
    if (!until.isAfter(since)) {
      throw new IllegalArgumentException(
          "an override from " + since + " until " + until + "; it has to last");
    }
  }

  private static void requireShort(String what, String text, int most) {
    if (text.length() > most) {
      throw new IllegalArgumentException(
          what + " of " + text.length() + " characters; write " + most + " at most");
    }
  }

  /** Whether it is for a subject, however that is spelled. */
  public boolean isOf(Layer ofLayer, String ofSubject) {
    return layer == ofLayer && place().equals(place(ofLayer, ofSubject));
  }

  /** What it is for, in the same words for all spellings. */
  String place() {
    return place(layer, subject);
  }

  private static String place(Layer layer, String subject) {
    return layer.word() + " " + OverridePlace.spelledAlike(layer, subject);
  }

  /** The same for a subject as it was spelled before: that is how its counter is called. */
  TimedOverride spelledAs(TimedOverride former) {
    return new TimedOverride(layer, former.subject, quota, since, until, by, reason);
  }

  /** What it is in words: {@code override of caller app-a}. */
  public String words() {
    return "override of " + layer.word() + " " + subject;
  }
}
