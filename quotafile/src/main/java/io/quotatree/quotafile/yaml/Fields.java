package io.quotatree.quotafile.yaml;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys of a mapping that was read, each with its value and place. Immutable. */
public final class Fields {

  private final Yaml at;
  private final Map<Key<?>, Located<?>> values;
  private final Set<Key<?>> broken;

  Fields(Yaml at, Map<Key<?>, Located<?>> values, Set<Key<?>> broken) {
    this.at = at;
    this.values = Map.copyOf(values);
    this.broken = Set.copyOf(broken);
  }

  /** No keys. */
  public static Fields none(Yaml at) {
    return new Fields(at, Map.of(), Set.of());
  }

  /** The mapping, or the value that stands for it. */
  public Yaml at() {
    return at;
  }

  /**
   * The value of a key and where it stands; null where it was not written, or could not be read.
   */
  @SuppressWarnings("unchecked") // a key's value was read by that key's own shape
  public <T> @Nullable Located<T> find(Key<T> key) {
    return (Located<T>) values.get(key);
  }

  /** The value of a key; null where it was not written, or could not be read. */
  public <T> @Nullable T value(Key<T> key) {
    Located<T> found = find(key);
    return found == null ? null : found.value();
  }

  /** The value of a key, or another one where it was not written. */
  public <T> T value(Key<T> key, T otherwise) {
    Located<T> found = find(key);
    return found == null ? otherwise : found.value();
  }

  /** Whether a key was written, readable or not. */
  public boolean wrote(Key<?> key) {
    return values.containsKey(key) || broken.contains(key);
  }

  /** Whether all values could be read. */
  public boolean sound() {
    return broken.isEmpty();
  }
}
