package io.quotatree.quotafile;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Origin;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Yaml;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A line of the file that may give a quota, and the line that it takes over from, key by key.
 *
 * <p>Never taken over are {@code shadow}, and {@code burst} and {@code slices} once the line gives
 * a limit of its own, which they were not written for. {@code unlimited} and {@code blocked} take
 * nothing over.
 *
 * @param place its place in the tree: {@code caller.overrides.app-a}
 * @param key where it begins
 * @param own what it says
 * @param base the line that it takes over from; null for none
 * @param usual the algorithm where nobody says one
 */
record WrittenQuota(
    String place, Yaml key, Fields own, @Nullable WrittenQuota base, AlgorithmName usual) {

  private static final Set<Key<?>> OF_THE_LIMIT = Set.of(Format.BURST, Format.SLICES);

  /** The line that says a key: this one, the one that it takes over from, or none. */
  @Nullable WrittenQuota giver(Key<?> asked) {
    if (own.wrote(asked)) {
      return this;
    }
    return base != null && takesOver(asked) && base.own.wrote(asked) ? base : null;
  }

  /** A key's value in force; null where nobody says it. */
  <T> @Nullable Located<T> find(Key<T> asked) {
    WrittenQuota giver = giver(asked);
    return giver == null ? null : giver.own.find(asked);
  }

  /** A key's value in force, or another one where nobody says it. */
  <T> T value(Key<T> asked, T otherwise) {
    Located<T> found = find(asked);
    return found == null ? otherwise : found.value();
  }

  private boolean takesOver(Key<?> asked) {
    if (own.value(Format.LIMIT) instanceof WrittenLimit.Word || asked.equals(Format.SHADOW)) {
      return false;
    }
    return !givesLimit() || !(OF_THE_LIMIT.contains(asked) || asked.equals(Format.LIMIT));
  }

  /** Whether it says itself how much: a limit, or a level, whose limit it then has. */
  boolean givesLimit() {
    return own.wrote(Format.LIMIT) || own.wrote(Format.LEVEL);
  }

  /** Whether all that was written in it and in the line it takes over from could be read. */
  boolean sound() {
    return own.sound() && (base == null || base.sound());
  }

  /** Whether it says anything of a quota itself. */
  boolean saysQuota() {
    return own.wrote(Format.LEVEL) || Format.QUOTA_KEYS.stream().anyMatch(own::wrote);
  }

  /**
   * Where its quota was written: where it says nothing itself, that is the line it takes over from.
   */
  Origin origin() {
    return base == null || saysQuota()
        ? new Origin(place, key.line(), key.column())
        : base.origin();
  }
}
