package io.quotatree.core.policy;

import org.jspecify.annotations.Nullable;

/**
 * Whose request a plan is of: a caller and a user, with the hashes of their names.
 *
 * <p>Part of a plan, and reused with it. Names are kept by the request that brought them: of the
 * references here that one alone is written for each request.
 */
final class Requester {

  private @Nullable Request request;

  /** The names, where they are not those of the request. */
  private @Nullable String otherCaller;

  private @Nullable String otherUser;
  private UserKind userKind = UserKind.NAMED;
  private boolean isUnidentified;

  private final NameHash hash = new NameHash();
  private long caller1;
  private long caller2;
  private long user1;
  private long user2;

  /** Begins with a request; with none where somebody is looked for. */
  void begin(@Nullable Request of) {
    request = of;
    isUnidentified = false;
  }

  /** Becomes the same as another. */
  void copy(Requester other) {
    request = other.request;
    otherCaller = other.otherCaller;
    otherUser = other.otherUser;
    userKind = other.userKind;
    isUnidentified = other.isUnidentified;
    caller1 = other.caller1;
    caller2 = other.caller2;
    user1 = other.user1;
    user2 = other.user2;
  }

  void caller(String name) {
    Request of = request;
    if (of == null || !of.caller().equals(name)) {
      otherCaller = name;
    } else if (otherCaller != null) {
      otherCaller = null;
    }
    hash.of(NameKind.CALLER, name);
    caller1 = hash.first;
    caller2 = hash.second;
  }

  void user(UserKind kind, String text) {
    Request of = request;
    if (of == null || !of.user().equals(text)) {
      otherUser = text;
    } else if (otherUser != null) {
      otherUser = null;
    }
    if (userKind != kind) {
      userKind = kind;
    }
    if (kind == UserKind.POOL) {
      user1 = NameKind.POOL1;
      user2 = NameKind.POOL2;
      return;
    }
    hash.of(kind.nameKind, text);
    user1 = hash.first;
    user2 = hash.second;
  }

  /** The user is anonymous, or an id that the client made up. */
  void unidentified() {
    isUnidentified = true;
  }

  boolean isUnidentified() {
    return isUnidentified;
  }

  String callerName() {
    String other = otherCaller;
    if (other != null) {
      return other;
    }
    Request of = request;
    return of == null ? "" : of.caller();
  }

  String userName() {
    String other = otherUser;
    if (other != null) {
      return other;
    }
    Request of = request;
    return of == null ? "" : of.user();
  }

  /** Whether the user is one by name, and not by a made-up one. */
  boolean isNamed() {
    return userKind == UserKind.NAMED;
  }

  /** Whether the user is named by an id that the client made up. */
  boolean isUnproven() {
    return userKind == UserKind.UNPROVEN;
  }

  long callerHash1() {
    return caller1;
  }

  long callerHash2() {
    return caller2;
  }

  long userHash1() {
    return user1;
  }

  long userHash2() {
    return user2;
  }

  /**
   * The first half of the key of a step's counter. Salts and hashes of names are keyed hashes, each
   * as random as the other: their sum is a hash of what they stand for.
   */
  long key1(Step step) {
    if (!step.isOfCaller) {
      return step.salt1;
    }
    long ofCaller = step.salt1 ^ caller1;
    if (step.isOfUser) {
      return ofCaller + Long.rotateLeft(user1, 31);
    }
    return step.isOfPool ? ofCaller + Long.rotateLeft(NameKind.POOL1, 31) : ofCaller;
  }

  /** The second half of the key of a step's counter. */
  long key2(Step step) {
    if (!step.isOfCaller) {
      return step.salt2;
    }
    long ofCaller = step.salt2 ^ caller2;
    if (step.isOfUser) {
      return ofCaller + Long.rotateLeft(user2, 17);
    }
    return step.isOfPool ? ofCaller + Long.rotateLeft(NameKind.POOL2, 17) : ofCaller;
  }

  /** The caller as subjects write it. */
  String callerText() {
    return SubjectText.escaped(callerName());
  }

  /** The user as subjects write it. */
  String userText() {
    return switch (userKind) {
      case NAMED, UNPROVEN -> SubjectText.escapedUser(userName());
      case POOL -> UserKind.POOL_TEXT;
      case ADDRESS -> "ip:" + userName();
      case NETWORK -> "net:" + userName();
      case SESSION -> "sid:" + SubjectText.session(userName());
    };
  }

  /** The user, where made-up ids are told from others. */
  String counterUserText() {
    return isUnproven() ? "~" + userText() : userText();
  }
}
