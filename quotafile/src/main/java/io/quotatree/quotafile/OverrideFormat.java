package io.quotatree.quotafile;

import static io.quotatree.quotafile.yaml.Key.optional;
import static io.quotatree.quotafile.yaml.Key.required;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.policy.overlay.TimedOverride;
import io.quotatree.quotafile.yaml.Durations;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Section;
import io.quotatree.quotafile.yaml.Shape;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The table of keys of an override, as operators set it while the gateway runs. */
final class OverrideFormat {

  static final Duration SHORTEST = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofDays(366);

  static final Key<Layer> LAYER =
      required(
          "layer", Shape.choice(List.of(Layer.values()), Layer::word), "The layer of the subject.");

  static final Key<String> SUBJECT =
      required(
          "subject",
          text("a subject", "`app-a`", TimedOverride.MOST_SUBJECT_CHARS),
          "Whose quota it is, as X-RateLimit-Key writes it after the layer.");

  static final Key<Fields> QUOTA =
      required(
          "quota",
          Format.A_QUOTA,
          "What holds in place of the subject's quota, from which it takes what it does not say.");

  static final Key<Duration> FOR =
      required("for", Durations.shape(SHORTEST, LONGEST), "How long it holds.");

  static final Key<String> REASON =
      optional(
          "reason",
          text("a text", "`sale until noon`", TimedOverride.MOST_REASON_CHARS),
          "Why, for the audit.");

  static final Section OVERRIDE =
      Format.section("override", List.of(LAYER, SUBJECT, QUOTA, FOR, REASON));

  private OverrideFormat() {}

  private static Shape<String> text(String what, String example, int most) {
    return Shape.parsed(
        new Shape.Words(what, example),
        Map.of("type", "string", "maxLength", most),
        text -> {
          if (text.length() > most) {
            throw new IllegalArgumentException(
                what + " of " + text.length() + " characters; write " + most + " at most");
          }
          return text;
        });
  }
}
