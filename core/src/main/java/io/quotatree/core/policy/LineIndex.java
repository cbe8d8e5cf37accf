package io.quotatree.core.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the line of a name: the exact one, else the pattern with the longest literal text, else the
 * earlier of equals. Exact names are found by the hash that the counters of the name need anyway.
 */
final class LineIndex<T> {

  private final Map<String, T> exact = new HashMap<>();
  private final List<Pattern<T>> patterns = new ArrayList<>();
  private long[] hashes = {};
  private List<@Nullable T> values = List.of();
  private int mask;

  private record Pattern<T>(String prefix, String suffix, T value) {
    int literalLength() {
      return prefix.length() + suffix.length();
    }

    boolean fits(String name) {
      return name.length() >= literalLength() && name.startsWith(prefix) && name.endsWith(suffix);
    }
  }

  /** Adds a line; of two with the same text the earlier stays. */
  void add(String pattern, T value) {
    int star = pattern.indexOf('*');
    if (star < 0) {
      exact.putIfAbsent(pattern, value);
    } else {
      patterns.add(new Pattern<>(pattern.substring(0, star), pattern.substring(star + 1), value));
    }
  }

  /** Ends adding. */
  LineIndex<T> built(int nameKind) {
    patterns.sort(Comparator.comparingInt((Pattern<T> p) -> p.literalLength()).reversed());
    int size = Math.max(2, Integer.highestOneBit(Math.max(1, exact.size())) * 4);
    mask = size - 1;
    hashes = new long[2 * size];
    List<@Nullable T> slots = new ArrayList<>(Collections.nCopies(size, null));
    NameHash hash = new NameHash();
    exact.forEach(
        (name, value) -> {
          hash.of(nameKind, name);
          int at = (int) hash.first & mask;
          while (slots.get(at) != null) {
            at = (at + 1) & mask;
          }
          hashes[2 * at] = hash.first;
          hashes[2 * at + 1] = hash.second;
          slots.set(at, value);
        });
    values = slots;
    return this;
  }

  boolean isEmpty() {
    return exact.isEmpty() && patterns.isEmpty();
  }

  /** The line of a name whose hash is known; null for none. */
  @Nullable T find(String name, long first, long second) {
    if (!exact.isEmpty()) {
      for (int at = (int) first & mask; values.get(at) != null; at = (at + 1) & mask) {
        if (hashes[2 * at] == first && hashes[2 * at + 1] == second) {
          return values.get(at);
        }
      }
    }
    for (int i = 0; i < patterns.size(); i++) {
      if (patterns.get(i).fits(name)) {
        return patterns.get(i).value;
      }
    }
    return null;
  }
}
