package io.quotatree.core.policy;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.algorithm.FixedWindow;
import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.limit.Accounting;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import org.jspecify.annotations.Nullable;

/**
 * One limit of one line: what is asked of one counter. Immutable; made when a policy is compiled.
 */
public final class Step {

  private final int ordinal;
  private final SubjectKind kind;
  private final String name;
  private final Quota quota;
  private final @Nullable RateLimit limit;
  private final Algorithm algorithm;
  private final int fixedOffsetMillis;

  // What every decision asks, beside the rest: the quota lies on lines of memory of its own.
  private final @Nullable WordAlgorithm wordAlgorithm;
  private final boolean isShadow;
  private final boolean isLoose;
  private final Layer layer;

  /** The part of the counter's key that the line knows: layer, kind, fixed name and shape. */
  final long salt1;

  final long salt2;

  /** What of a request tells the counters of this limit apart. */
  final boolean isOfCaller;

  final boolean isOfUser;
  final boolean isOfPool;

  /**
   * The step whose limit holds where this one's subject shares an overflow counter; itself if no
   * other.
   */
  private Step overflow;

  Step(
      int ordinal,
      SubjectKind kind,
      String name,
      Quota quota,
      @Nullable RateLimit limit,
      Algorithm algorithm) {
    this.ordinal = ordinal;
    this.kind = kind;
    this.name = name;
    this.quota = quota;
    this.limit = limit;
    this.algorithm = algorithm;
    this.overflow = this;
    this.wordAlgorithm = algorithm instanceof WordAlgorithm word ? word : null;
    this.isShadow = quota.enforcement() == Enforcement.SHADOW;
    this.isLoose = quota.accounting() == Accounting.LOOSE && limit != null;
    this.layer = kind.layer;
    this.isOfCaller = kind.ofCaller;
    this.isOfUser = kind.user == SubjectKind.UserPart.OWN;
    this.isOfPool = kind.user == SubjectKind.UserPart.POOL;
    NameHash hash = new NameHash();
    hash.of(0, kind.counterKind() + '\0' + algorithm.shape() + '\0' + name);
    this.salt1 = hash.first;
    this.salt2 = hash.second;
    this.fixedOffsetMillis =
        kind.isBounded() && algorithm instanceof FixedWindow window && window.isStaggered()
            ? SubjectText.offsetMillis(layer.word(), fixedSubject(), window.offsetBoundMillis())
            : 0;
  }

  private String fixedSubject() {
    return kind.subject(name, new Plan());
  }

  void overflowInto(Step other) {
    overflow = other;
  }

  /** The step whose limit holds where this one's subject shares an overflow counter. */
  public Step overflow() {
    return overflow;
  }

  /** Its number among the steps of its policy, from 0. */
  public int ordinal() {
    return ordinal;
  }

  /** The layer that the limit belongs to. */
  public Layer layer() {
    return layer;
  }

  /** The name that its line has for whatever it counts; empty where there is but one. */
  String name() {
    return name;
  }

  SubjectKind kind() {
    return kind;
  }

  /** The quota that the limit is of. */
  public Quota quota() {
    return quota;
  }

  /** The limit per time; null for one on requests in flight. */
  public @Nullable RateLimit limit() {
    return limit;
  }

  /** How it counts. */
  public Algorithm algorithm() {
    return algorithm;
  }

  /** The same where its counters are one word; null where they have several. */
  public @Nullable WordAlgorithm wordAlgorithm() {
    return wordAlgorithm;
  }

  /** Permits of a period, or requests in flight. */
  public long limitPermits() {
    return limit == null ? algorithm.capacityPermits() : limit.rate().permits();
  }

  /** Whether it only tells what it would have decided. */
  public boolean isShadow() {
    return isShadow;
  }

  /** Whether its charge stays when a later layer refuses. */
  public boolean isLoose() {
    return isLoose;
  }

  /** Whether it counts requests in flight. */
  public boolean isInFlight() {
    return limit == null;
  }

  /** Whether it is a gateway's alone, and none of a fleet's affairs. */
  public boolean isLocal() {
    return kind == SubjectKind.INSTANCE;
  }

  /** Whether callers can make up any number of its counters. */
  public boolean isUnbounded() {
    return !kind.isBounded();
  }

  /**
   * Whether an allowed answer may tell of it: neither a shadow, nor in flight, nor a gateway's
   * alone.
   */
  public boolean isTold() {
    return !isShadow() && limit != null && kind != SubjectKind.INSTANCE;
  }

  /** Whether its counter is the caller's own. */
  public boolean isOwn() {
    return kind.isOwn();
  }

  /**
   * By how many milliseconds the windows of the plan's subject are staggered. Costs a hash of the
   * subject where that is not known from the file, so it is asked once, when a counter is made.
   */
  public int offsetMillis(Plan plan) {
    if (kind.isBounded() || !(algorithm instanceof FixedWindow window) || !window.isStaggered()) {
      return fixedOffsetMillis;
    }
    return SubjectText.offsetMillis(
        layer().word(), kind.subject(name, plan), window.offsetBoundMillis());
  }

  /**
   * What counters that are charged together lie together by where a store is spread over several
   * machines: the caller, the name of an api or group, or {@code node}.
   */
  public String counterTag(Plan plan) {
    return kind.tag(name, plan);
  }

  /**
   * The subject as it tells counters apart in a store that many gateways share. As {@link
   * #subject}, but that `:`, `%` and braces of the file's own names are written %XX, and that ids
   * that clients made up begin with `~`, which no other user's does.
   */
  public String counterSubject(Plan plan) {
    return kind.counterSubject(name, plan);
  }

  /** Whose counter it is, in words. */
  public String subject(Plan plan) {
    return kind.subject(name, plan);
  }
}
