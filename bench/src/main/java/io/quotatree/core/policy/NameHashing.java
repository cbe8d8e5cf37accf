package io.quotatree.core.policy;

/**
 * Opens the keyed hash of names to measurements; it stands in its package since nobody else may.
 */
public final class NameHashing {

  private final NameHash hash = new NameHash();

  /** A place for one result, reused. */
  public NameHashing() {}

  /** Hashes a name. */
  public void of(int kind, String name) {
    hash.of(kind, name);
  }

  /** The first half of the last result. */
  public long first() {
    return hash.first;
  }

  /** The second half of the last result. */
  public long second() {
    return hash.second;
  }
}
