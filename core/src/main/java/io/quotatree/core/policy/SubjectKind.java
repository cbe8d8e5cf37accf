package io.quotatree.core.policy;

import io.quotatree.core.limit.Layer;

/** What a counter stands for, and with it how its subject is written. */
enum SubjectKind {
  NODE(Layer.NODE, false, UserPart.NONE),
  INSTANCE(Layer.NODE, false, UserPart.NONE),
  CALLER(Layer.CALLER, true, UserPart.NONE),
  USER(Layer.USER, true, UserPart.OWN),
  WRITES(Layer.USER, true, UserPart.OWN),
  /** All anonymous and unproven users of a caller together. */
  POOL(Layer.USER, true, UserPart.POOL),
  GROUP(Layer.API, false, UserPart.NONE),
  API(Layer.API, false, UserPart.NONE),
  PER_CALLER(Layer.API, true, UserPart.NONE),
  PER_USER(Layer.API, true, UserPart.OWN),
  CALLER_API(Layer.API, true, UserPart.NONE),
  /** All paths of a route that no line fits, for one caller. */
  UNMATCHED(Layer.API, true, UserPart.NONE);

  /** Which user a counter is told apart by. */
  enum UserPart {
    NONE,
    OWN,
    POOL
  }

  final Layer layer;
  final boolean ofCaller;
  final UserPart user;

  SubjectKind(Layer layer, boolean ofCaller, UserPart user) {
    this.layer = layer;
    this.ofCaller = ofCaller;
    this.user = user;
  }

  /** Whether there are as many counters as the file has lines, however many callers come. */
  boolean isBounded() {
    return !ofCaller;
  }

  /** Whether the counter is the caller's own, so that he may be told how full it is. */
  boolean isOwn() {
    return ofCaller;
  }

  /**
   * What tells counters of this kind from others with the same names; kinds that write one subject
   * share it.
   */
  String counterKind() {
    return switch (this) {
      case POOL -> USER.name();
      case UNMATCHED -> PER_CALLER.name();
      default -> name();
    };
  }

  /** What counters that are charged together lie together by. */
  String tag(String name, Plan plan) {
    return switch (this) {
      case NODE, INSTANCE -> "node";
      case GROUP, API -> SubjectText.keyPart(name);
      default -> plan.callerText();
    };
  }

  /** The subject as it tells counters apart. */
  String counterSubject(String name, Plan plan) {
    return subject(SubjectText.keyPart(name), plan, plan.counterUserText());
  }

  /** The subject as people read it. */
  String subject(String name, Plan plan) {
    return subject(name, plan, user == UserPart.OWN ? plan.userText() : "");
  }

  private String subject(String name, Plan plan, String userText) {
    return switch (this) {
      case NODE -> "node";
      case INSTANCE -> "node@" + name;
      case CALLER -> plan.callerText();
      case USER -> plan.callerText() + "/" + userText;
      case WRITES -> plan.callerText() + "/" + userText + "!writes";
      case POOL -> plan.callerText() + "/" + UserKind.POOL_TEXT;
      case GROUP -> "group:" + name;
      case API -> name;
      case PER_CALLER, UNMATCHED -> name + "|" + plan.callerText();
      case PER_USER -> name + "|" + plan.callerText() + "/" + userText;
      case CALLER_API -> plan.callerText() + "|" + name;
    };
  }
}
