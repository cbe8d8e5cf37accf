package io.quotatree.core.policy;

/** Tells hashes of different kinds of names apart. */
final class NameKind {

  static final int CALLER = 1;

  static final long POOL1;
  static final long POOL2;
  static final long OVERFLOW1;
  static final long OVERFLOW2;

  static {
    NameHash hash = new NameHash();
    hash.of(100, "pool");
    POOL1 = hash.first;
    POOL2 = hash.second;
    hash.of(101, "overflow");
    OVERFLOW1 = hash.first;
    OVERFLOW2 = hash.second;
  }

  private NameKind() {}
}
