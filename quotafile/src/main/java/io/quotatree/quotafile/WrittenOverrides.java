package io.quotatree.quotafile;

import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.overlay.Overlay.Wanted;
import io.quotatree.core.policy.overlay.OverridePlace;
import io.quotatree.core.policy.overlay.TimedOverride;
import io.quotatree.quotafile.yaml.Problem;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Yaml;
import io.quotatree.quotafile.yaml.YamlText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Reads overrides as operators write them, by the same rules as the file's own quotas. */
public final class WrittenOverrides {

  /** What problems call the text. */
  private static final String NAME = "overrides";

  private WrittenOverrides() {}

  /** What came of reading a text: overrides, or all that is wrong with them. */
  public sealed interface Read {

    /**
     * Overrides that can be set.
     *
     * @param wanted at least one, each of another subject
     * @param warnings what is legal and odd
     */
    record Sound(List<Wanted> wanted, List<Problem> warnings) implements Read {
      /** Copies the lists. */
      public Sound {
        wanted = List.copyOf(wanted);
        warnings = List.copyOf(warnings);
      }
    }

    /**
     * Overrides that cannot be set.
     *
     * @param errors all that is wrong, at least one
     */
    record Faulty(List<Problem> errors) implements Read {
      /** Copies the list. */
      public Faulty {
        errors = List.copyOf(errors);
      }
    }
  }

  /**
   * Reads an override, or a list of them.
   *
   * @param json a text in JSON
   * @param file the file whose quotas they are to stand in place of
   */
  public static Read read(byte[] json, QuotaFile file) {
    Problems problems = new Problems(NAME);
    // YAML has a reservation about tabs; in JSON they can only be space between values.
    String text = new String(json, StandardCharsets.UTF_8).replace('\t', ' ');
    Optional<Yaml> root = YamlText.read(text, problems);
    List<Wanted> wanted =
        root.map(value -> new OverrideReader(file, problems).read(value)).orElse(List.of());
    return problems.sound()
        ? new Read.Sound(wanted, problems.warnings())
        : new Read.Faulty(problems.errors());
  }

  /**
   * The quota of an override that was set earlier, beside the quotas of a file as it is now.
   *
   * @throws IllegalArgumentException with what is wrong, if there is none any more
   */
  public static Quota quota(TimedOverride override, OverridePlace place, QuotaFile file) {
    Problems problems = new Problems(NAME);
    Quota quota =
        YamlText.read(override.quota(), problems)
            .map(value -> new OverrideReader(file, problems).quota(place, value))
            .orElse(null);
    if (quota == null || !problems.sound()) {
      throw new IllegalArgumentException(
          problems.errors().stream().map(Problem::text).findFirst().orElse("it says no quota"));
    }
    return quota;
  }
}
