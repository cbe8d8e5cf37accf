package io.quotatree.quotafile.yaml;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that an unknown one was probably meant to be. */
public final class Nearest {

  private static final int LONGEST = 64;
  private static final int SHORTEST_BEGINNING = 3;

  private Nearest() {}

  /** The known word with the fewest slips of the keyboard between; empty where none is near. */
  public static Optional<String> of(String word, Collection<String> known) {
    String folded = fold(word);
    int bound = Math.max(1, folded.length() / 3);
    for (String candidate : known) {
      if (folded.length() >= SHORTEST_BEGINNING && fold(candidate).startsWith(folded)) {
        return Optional.of(candidate);
      }
    }
    String nearest = null;
    int least = bound + 1;
    for (String candidate : known) {
      int slips = slips(folded, fold(candidate));
      if (slips < least) {
        least = slips;
        nearest = candidate;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** {@code write `NEAREST`}, or all known words where none is near. */
  public static String advice(String word, Collection<String> known) {
    return of(word, known).map(near -> "write `" + near + "`").orElseGet(() -> listing(known));
  }

  private static String listing(Collection<String> known) {
    if (known.isEmpty()) {
      return "leave it out";
    }
    String all = String.join(", ", known.stream().limit(LONGEST).toList());
    return (known.size() == 1 ? "write " : "write one of ")
        + all
        + (known.size() > LONGEST ? ", …" : "");
  }

  /** So that {@code nodeId}, {@code node-id} and {@code node_id} are one word. */
  private static String fold(String word) {
    String folded = word.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    return folded.length() > LONGEST ? folded.substring(0, LONGEST) : folded;
  }

  /** The optimal string alignment distance: letters changed, missing, added, or two swapped. */
  private static int slips(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(d[i - 1][j - 1] + change, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
