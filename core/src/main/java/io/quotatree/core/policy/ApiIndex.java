package io.quotatree.core.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the most specific name that a method and path fit, at a cost that depends on the path and
 * not on the number of names.
 *
 * <p>A name without parameters and open end is more specific than any other, so it is looked up
 * first, as it stands; the others are in a tree over path segments.
 */
final class ApiIndex<T> {

  /** Names that are one path each. Paths of requests are looked up in it, and never added. */
  private final Map<String, Entry<T>> literal = new HashMap<>();

  private final Node<T> root = new Node<>();
  private boolean hasOthers;
  private final List<Entry<T>> pending = new ArrayList<>();

  /** A name with what it leads to; rank 0 is the most specific of all. */
  private static final class Entry<T> {
    final ApiName name;
    private final @Nullable String method;
    final T value;
    int rank;

    /** A less specific name of the same path, for other methods. */
    @Nullable Entry<T> next;

    Entry(ApiName name, T value) {
      this.name = name;
      this.method = name.method();
      this.value = value;
    }

    boolean isOf(String counted) {
      return method == null || method.equals(counted);
    }

    Entry<T> last() {
      Entry<T> last = this;
      while (last.next != null) {
        last = last.next;
      }
      return last;
    }
  }

  private static final class Node<T> {
    private String[] keys = new String[4];
    private final List<@Nullable Node<T>> children = new ArrayList<>();
    private int size;
    @Nullable Node<T> parameter;
    final List<Entry<T>> here = new ArrayList<>();
    final List<Entry<T>> below = new ArrayList<>();

    Node() {
      grow(4);
    }

    private void grow(int capacity) {
      String[] old = keys;
      List<@Nullable Node<T>> kept = new ArrayList<>(children);
      keys = new String[capacity];
      children.clear();
      for (int i = 0; i < capacity; i++) {
        children.add(null);
      }
      for (int i = 0; i < kept.size(); i++) {
        if (kept.get(i) != null) {
          int at = slot(old[i], 0, old[i].length());
          keys[at] = old[i];
          children.set(at, kept.get(i));
        }
      }
    }

    /** Where a segment stands, or the free place where it would. */
    private int slot(String text, int from, int to) {
      int hash = 0;
      for (int i = from; i < to; i++) {
        hash = 31 * hash + text.charAt(i);
      }
      int at = (hash ^ (hash >>> 15)) & (keys.length - 1);
      while (children.get(at) != null
          && !(keys[at].length() == to - from && text.startsWith(keys[at], from))) {
        at = (at + 1) & (keys.length - 1);
      }
      return at;
    }

    @Nullable Node<T> child(String path, int from, int to) {
      return size == 0 ? null : children.get(slot(path, from, to));
    }

    Node<T> childFor(String segment) {
      if (ApiName.isParameter(segment)) {
        Node<T> known = parameter;
        if (known == null) {
          known = new Node<>();
          parameter = known;
        }
        return known;
      }
      int at = slot(segment, 0, segment.length());
      Node<T> known = children.get(at);
      if (known != null) {
        return known;
      }
      if (2 * (size + 1) > keys.length) {
        grow(2 * keys.length);
        at = slot(segment, 0, segment.length());
      }
      Node<T> made = new Node<>();
      keys[at] = segment;
      children.set(at, made);
      size++;
      return made;
    }
  }

  /** Adds a name; of two that are equally specific the earlier wins. */
  void add(ApiName name, T value) {
    pending.add(new Entry<>(name, value));
  }

  /** Ends adding. */
  ApiIndex<T> built() {
    pending.sort(Comparator.comparing((Entry<T> e) -> e.name, ApiName.MOST_SPECIFIC_FIRST));
    for (int rank = 0; rank < pending.size(); rank++) {
      Entry<T> entry = pending.get(rank);
      entry.rank = rank;
      if (entry.name.isLiteral()) {
        Entry<T> first = literal.putIfAbsent(entry.name.path(), entry);
        if (first != null) {
          first.last().next = entry;
        }
      } else {
        hang(entry);
      }
    }
    return this;
  }

  private void hang(Entry<T> entry) {
    Node<T> node = root;
    for (String segment : entry.name.segments()) {
      node = node.childFor(segment);
    }
    (entry.name.isOpen() ? node.below : node.here).add(entry);
    hasOthers = true;
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }

  /**
   * What a name leads to that is this path, letter by letter; null for none. Such a path is
   * canonical, and no other name that fits is as specific.
   */
  @Nullable T literal(String method, String path) {
    Entry<T> found = literal.get(path);
    while (found != null && !found.isOf(ApiName.countedAs(method))) {
      found = found.next;
    }
    return found == null ? null : found.value;
  }

  /** What the most specific name that fits leads to; null where none fits. */
  @Nullable T find(String method, String canonicalPath) {
    T named = literal(method, canonicalPath);
    if (named != null || !hasOthers) {
      return named;
    }
    int start = canonicalPath.length() == 1 ? 1 : 0;
    Entry<T> found = search(root, ApiName.countedAs(method), canonicalPath, start, null);
    return found == null ? null : found.value;
  }

  /** Searches from a node, {@code at} being the slash before the next segment or the path's end. */
  private static <T> @Nullable Entry<T> search(
      Node<T> node, String method, String path, int at, @Nullable Entry<T> best) {
    Entry<T> found = better(node.below, method, best);
    if (at >= path.length()) {
      return better(node.here, method, found);
    }
    int slash = path.indexOf('/', at + 1);
    int end = slash < 0 ? path.length() : slash;
    Node<T> child = node.child(path, at + 1, end);
    if (child != null) {
      found = search(child, method, path, end, found);
    }
    if (node.parameter != null) {
      found = search(node.parameter, method, path, end, found);
    }
    return found;
  }

  private static <T> @Nullable Entry<T> better(
      List<Entry<T>> entries, String method, @Nullable Entry<T> best) {
    Entry<T> found = best;
    for (int i = 0; i < entries.size(); i++) {
      Entry<T> entry = entries.get(i);
      if (entry.isOf(method) && (found == null || entry.rank < found.rank)) {
        found = entry;
      }
    }
    return found;
  }
}
