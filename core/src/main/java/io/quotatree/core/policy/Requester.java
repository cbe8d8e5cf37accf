package io.quotatree.core.policy;

import org.jspecify.annotations.Nullable;

/**
 * Whose request a plan is of: a caller and a user, with the hashes of their names.
 *
 * <p>Part of a plan, and reused with it. Names are kept by the request that brought them: of the
 * references here that one alone is written for each request.
 */
final class Requester {

  /** A request of nobody in particular, for plans that are made for none. */
  static final Request ANYBODYS = Request.of("", "", "GET", "/");

  private static final long POOL1 = Long.rotateLeft(NameKind.POOL1, 31);
  private static final long POOL2 = Long.rotateLeft(NameKind.POOL2, 17);

  private Request request = ANYBODYS;

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

  void begin(Request of) {
    request = of;
    isUnidentified = false;
  }

  Request request() {
    return request;
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
    if (!request.caller().equals(name)) {
      otherCaller = name;
    } else if (otherCaller != null) {
      otherCaller = null;
    }
    hash.of(NameKind.CALLER, name);
    caller1 = hash.first;
    caller2 = hash.second;
  }

  void user(UserKind kind, String text) {
    if (!request.user().equals(text)) {
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
    return otherCaller == null ? request.caller() : otherCaller;
  }

  String userName() {
    return otherUser == null ? request.user() : otherUser;
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
    return step.isOfCaller
        ? ofUser(step, step.salt1 ^ caller1, Long.rotateLeft(user1, 31), POOL1)
        : step.salt1;
  }

  /** The second half of the key of a step's counter. */
  long key2(Step step) {
    return step.isOfCaller
        ? ofUser(step, step.salt2 ^ caller2, Long.rotateLeft(user2, 17), POOL2)
        : step.salt2;
  }

  private static long ofUser(Step step, long ofCaller, long user, long pool) {
    if (step.isOfUser) {
      return ofCaller + user;
    }
    return step.isOfPool ? ofCaller + pool : ofCaller;
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
