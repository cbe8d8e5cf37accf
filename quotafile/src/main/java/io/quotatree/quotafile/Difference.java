package io.quotatree.quotafile;

import java.util.ArrayList;
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

  private static final String NEEDS_RESTART = "server.";

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
    Map<String, String> old = FileLines.of(before);
    Map<String, String> now = FileLines.of(after);
    Set<String> places = new LinkedHashSet<>(now.keySet());
    places.addAll(old.keySet());
    List<String> changes = new ArrayList<>();
    List<String> restart = new ArrayList<>();
    for (String place : places) {
      String was = old.get(place);
      String is = now.get(place);
      if (was != null && was.equals(is)) {
        continue;
      }
      changes.add(
          place
              + ": "
              + (was == null ? "added: " + is : is == null ? "removed: " + was : was + " → " + is));
      if (place.startsWith(NEEDS_RESTART)) {
        restart.add(place);
      }
    }
    return new Difference(changes, restart);
  }
}
