package io.quotatree.core.policy;

/** Whom a request's user counters stand for. */
enum UserKind {
  /** A user by name. */
  NAMED(2),
  /**
   * A name that the client made up. Written as a user's, and counted apart: else anybody could use
   * up another's quota by naming him.
   */
  UNPROVEN(7),
  /** All anonymous users of the caller. */
  POOL(3),
  /** An address. */
  ADDRESS(4),
  /** A network. */
  NETWORK(5),
  /** A session. */
  SESSION(6);

  /** How the pool is written. */
  static final String POOL_TEXT = "anonymous";

  /** Tells hashes of users of different kinds apart. */
  final int nameKind;

  UserKind(int nameKind) {
    this.nameKind = nameKind;
  }
}
