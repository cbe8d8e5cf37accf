package io.quotatree.core.policy.overlay;

import io.quotatree.core.limit.Layer;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All overrides at one revision.
 *
 * @param revision the number of this state; another state has another one. 0 where there never was
 *     an override
 * @param all at most one for each subject, in the order in which they were set
 */
public record Overrides(long revision, List<TimedOverride> all) {

  /** The most overrides at a time. */
  public static final int MOST = 1_000;

  /** No overrides. */
  public static final Overrides NONE = new Overrides(0, List.of());

  /** Copies the list. */
  public Overrides {
    all = List.copyOf(all);
    if (all.size() > MOST) {
      throw new IllegalArgumentException(
          all.size() + " overrides; at most " + MOST + " at a time: the file is for what stays");
    }
  }

  /** The override of a subject. */
  public Optional<TimedOverride> find(Layer layer, String subject) {
    return all.stream().filter(one -> one.isOf(layer, subject)).findFirst();
  }

  /** All but those of the given subjects, and then the others. */
  List<TimedOverride> with(List<TimedOverride> others) {
    Map<String, TimedOverride> changed = new LinkedHashMap<>();
    all.forEach(one -> changed.put(one.place(), one));
    for (TimedOverride other : others) {
      TimedOverride former = changed.remove(other.place());
      changed.put(other.place(), former == null ? other : other.spelledAs(former));
    }
    return List.copyOf(changed.values());
  }

  /** All but that of a subject. */
  List<TimedOverride> without(Layer layer, String subject) {
    return all.stream().filter(one -> !one.isOf(layer, subject)).toList();
  }

  /** Those that have not ended. */
  Overrides at(Instant now) {
    List<TimedOverride> left = all.stream().filter(one -> one.until().isAfter(now)).toList();
    return left.size() == all.size() ? this : new Overrides(revision, left);
  }
}
