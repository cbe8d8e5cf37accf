package io.quotatree.quotafile;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Nearest;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Yaml;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Limits with a name, which apis have by their {@code level}. */
final class Levels {

  private final Problems problems;
  private final Map<String, Located<WrittenLimit>> levels = new LinkedHashMap<>();

  /** The names of all, readable or not. */
  private Set<String> names = Set.of();

  private final Set<String> used = new HashSet<>();

  /** The levels of an api section. */
  Levels(Fields api, Problems problems) {
    this.problems = problems;
    var written = api.find(Format.LEVELS);
    if (written != null && written.at() instanceof Yaml.Mapping mapping) {
      names = mapping.names();
      written.value().forEach(level -> levels.put(level.name(), level));
    }
  }

  /** The limit of a level; null where there is none, which is told. */
  @Nullable WrittenLimit limit(Located<String> level) {
    used.add(level.value());
    if (!names.contains(level.value())) {
      String advice = names.isEmpty() ? "write it there" : Nearest.advice(level.value(), names);
      problems.error(
          level.at(), "the level `" + level.value() + "` is not in `api.levels`; " + advice);
    }
    Located<WrittenLimit> found = levels.get(level.value());
    return found == null ? null : found.value();
  }

  /**
   * Tells what is wrong with the levels that no line has; the others were told with their lines.
   */
  void checkUnused(LimitBuilder limits) {
    for (Located<WrittenLimit> level : levels.values()) {
      if (!used.contains(level.name())) {
        WrittenQuota alone =
            new WrittenQuota(
                "api.levels." + level.name(),
                level.key(),
                Fields.none(level.at()),
                null,
                AlgorithmName.FIXED_WINDOW);
        limits.allowance(alone, level.value());
      }
    }
  }
}
