package io.quotatree.quotafile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a file puts in force that another one did not.
 *
 * @param changes each as {@code PLACE: BEFORE → AFTER}, {@code PLACE: added: AFTER} or {@code
 *     PLACE: removed: BEFORE}
 * @param restart the places among them that take a restart to change
 */
public record Difference(List<String> changes, List<String> restart) {

  private static final List<String> NEED_RESTART = List.of("server", "store");

  /** Copies the lists. */
  public Difference {
    changes = List.copyOf(changes);
    restart = List.copyOf(restart);
  }

  /** Whether both files put the same in force. */
  public boolean isEmpty() {
    return changes.isEmpty();
  }

  /** What changes from one file to another. Where things stand in the files does not count. */
  public static Difference between(QuotaFile before, QuotaFile after) {
    return between(before, before, after);
  }

  /**
   * What changes from one file to another, in a process that was started by a third: what takes a
   * restart is told against that one.
   */
  static Difference between(QuotaFile started, QuotaFile before, QuotaFile after) {
    List<String> changes = new ArrayList<>();
    changed(before, after).forEach((place, change) -> changes.add(place + ": " + change));
    List<String> restart =
        changed(started, after).keySet().stream().filter(Difference::needsRestart).toList();
    return new Difference(changes, restart);
  }

  private static boolean needsRestart(String place) {
    return NEED_RESTART.stream()
        .anyMatch(section -> place.equals(section) || place.startsWith(section + "."));
  }

  private static Map<String, String> changed(QuotaFile before, QuotaFile after) {
    Map<String, String> old = FileLines.of(before);
    Map<String, String> now = FileLines.of(after);
    Set<String> places = new LinkedHashSet<>(now.keySet());
    places.addAll(old.keySet());
    Map<String, String> changed = new LinkedHashMap<>();
    for (String place : places) {
      String was = old.get(place);
      String is = now.get(place);
      if (was == null) {
        changed.put(place, "added: " + is);
      } else if (is == null) {
        changed.put(place, "removed: " + was);
      } else if (!was.equals(is)) {
        changed.put(place, was + " → " + is);
      }
    }
    return changed;
  }
}
