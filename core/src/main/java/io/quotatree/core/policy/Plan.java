package io.quotatree.core.policy;

import io.quotatree.core.limit.Layer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The limits that apply to one request, in the order they are asked in, each with the key of its
 * counter.
 *
 * <p>A plan is filled by {@link Policy#plan} and read by a ledger. It is reused from request to
 * request, so that planning allocates nothing; references are written only where they change, since
 * each that is written into an object which lives for long costs a fence (G1). Not for use by
 * several threads at once.
 */
public final class Plan {

  private static final int USUAL_STEPS = 8;

  private @Nullable Policy policy;

  /** The limits: what an api has ready for most requests, or this plan's own. */
  private Step[] steps;

  private Step[] own = new Step[USUAL_STEPS];
  private long[] key1 = new long[USUAL_STEPS];
  private long[] key2 = new long[USUAL_STEPS];
  private int size;

  /** Every quota that was met, unlimited ones included, where somebody wants to know; null else. */
  private @Nullable List<QuotaSteps> quotas;

  private @Nullable QuotaSteps blocked;
  private @Nullable QuotaSteps shadowBlocked;

  final Requester requester = new Requester();
  private @Nullable ApiPlan api;
  private long costPermits = 1;

  /** Names of counters, where the plan goes through several subjects; null else. */
  private @Nullable List<String> tags;

  private @Nullable List<String> subjects;

  /** An empty plan. */
  public Plan() {
    steps = own;
  }

  /** Begins a plan for a request; for anybody's where a subject's limits are looked for. */
  void begin(Policy by, Request request) {
    if (policy != by) {
      policy = by;
    }
    if (tags != null) {
      tags = null;
      subjects = null;
    }
    if (quotas != null) {
      quotas = null;
    }
    requester.begin(request);
    clear();
  }

  private void clear() {
    size = 0;
    if (blocked != null) {
      blocked = null;
    }
    if (shadowBlocked != null) {
      shadowBlocked = null;
    }
  }

  void api(ApiPlan of, long cost) {
    if (api != of) {
      api = of;
    }
    costPermits = cost;
  }

  /** The rule of the api; only once it was found. */
  ApiPlan apiPlan() {
    return Objects.requireNonNull(api, "a plan's api is found before its limits");
  }

  /** The request that the plan was begun for. */
  Request request() {
    return requester.request();
  }

  void add(@Nullable QuotaSteps quota) {
    if (quota == null) {
      return;
    }
    if (quotas != null) {
      quotas.add(quota);
    }
    if (quota.isBlocked()) {
      block(quota);
      return;
    }
    for (Step step : quota.steps) {
      add(step);
    }
  }

  private void block(QuotaSteps quota) {
    if (quota.isShadow()) {
      shadowBlocked = shadowBlocked == null ? quota : shadowBlocked;
    } else if (blocked == null) {
      blocked = quota;
    }
  }

  void removeLast() {
    size--;
  }

  /** From now on names are kept as they are when a step is added. */
  void keepNames() {
    tags = new ArrayList<>();
    subjects = new ArrayList<>();
  }

  private void keepNames(Step step, List<String> toTags, List<String> toSubjects) {
    toTags.subList(size, toTags.size()).clear();
    toSubjects.subList(size, toSubjects.size()).clear();
    toTags.add(step.counterTag(this));
    toSubjects.add(step.counterSubject(this));
  }

  void add(Step step) {
    if (tags != null && subjects != null) {
      keepNames(step, tags, subjects);
    }
    if (size == own.length) {
      grow(2 * size);
    }
    if (steps != own) {
      steps = own;
    }
    if (own[size] != step) {
      own[size] = step;
    }
    key1[size] = requester.key1(step);
    key2[size] = requester.key2(step);
    size++;
  }

  private void grow(int length) {
    own = Arrays.copyOf(own, length);
    key1 = Arrays.copyOf(key1, length);
    key2 = Arrays.copyOf(key2, length);
  }

  /** Takes all limits at once; they are never written. */
  void addReady(Step[] ready) {
    if (ready.length > own.length) {
      grow(ready.length);
    }
    if (steps != ready) {
      steps = ready;
    }
    for (int i = 0; i < ready.length; i++) {
      key1[i] = requester.key1(ready[i]);
      key2[i] = requester.key2(ready[i]);
    }
    size = ready.length;
  }

  /** The limits, as one who gives them to other plans has them ready. */
  Step[] ready() {
    return Arrays.copyOf(steps, size);
  }

  /**
   * Puts another policy's limits in the place of this plan's, by their ordinals: those of {@link
   * Policy#withEachShared}, say.
   */
  public void use(Policy other) {
    policy = other;
    for (int i = 0; i < size; i++) {
      own[i] = other.steps().get(steps[i].ordinal());
    }
    steps = own;
  }

  /** Those limits of this plan that are a gateway's alone, as a plan of the same request. */
  public Plan localPart() {
    return part(Step::isLocal);
  }

  /** This plan once more. */
  public Plan copy() {
    return part(step -> true);
  }

  private Plan part(Predicate<Step> some) {
    Plan part = ofSameRequest(costPermits);
    for (int i = 0; i < size; i++) {
      if (some.test(steps[i])) {
        part.add(steps[i]);
      }
    }
    return part;
  }

  /**
   * One limit of this plan, as a plan of its own.
   *
   * @param cost the permits that it asks for
   */
  public Plan only(int index, long cost) {
    Plan one = ofSameRequest(cost);
    one.add(steps[index]);
    return one;
  }

  private Plan ofSameRequest(long cost) {
    Plan other = new Plan();
    other.begin(policy(), Requester.ANYBODYS);
    other.requester.copy(requester);
    other.api = api;
    other.costPermits = cost;
    return other;
  }

  /** The policy that made the plan. */
  public Policy policy() {
    return Objects.requireNonNull(policy, "a plan is read after Policy.plan has filled it");
  }

  /** How many limits apply. */
  public int size() {
    return size;
  }

  /** The limit at a place in the order. */
  public Step step(int index) {
    return steps[index];
  }

  /** The first half of the key of a limit's counter. */
  public long key1(int index) {
    return key1[index];
  }

  /** The second half of the key of a limit's counter. */
  public long key2(int index) {
    return key2[index];
  }

  /**
   * What the counter of a limit lies together with in a store that is spread over several machines:
   * the caller, the name of an api or group, or {@code node}.
   */
  public String counterTag(int index) {
    return tags == null ? steps[index].counterTag(this) : tags.get(index);
  }

  /** The subject of a limit as it tells counters apart: see {@link Step#counterSubject}. */
  public String counterSubject(int index) {
    return subjects == null ? steps[index].counterSubject(this) : subjects.get(index);
  }

  /** A hash of the caller, by which ledgers see to it that no caller takes all room. */
  public long callerKey() {
    return requester.callerHash1();
  }

  /** Whether the user is anonymous, or an id that the client made up. */
  public boolean isUnidentified() {
    return requester.isUnidentified();
  }

  /**
   * The key of the counter that a caller's new subjects share where a ledger has no more room.
   *
   * @param index of the limit
   * @param half 0 or 1
   */
  public long overflowKey(int index, int half) {
    Step step = steps[index].overflow();
    return half == 0
        ? step.salt1 ^ requester.callerHash1() ^ NameKind.OVERFLOW1
        : step.salt2 ^ requester.callerHash2() ^ NameKind.OVERFLOW2;
  }

  /**
   * The key of the counter that all callers' new subjects share where there is not even room for
   * one a caller.
   */
  public long lastResortKey(int index, int half) {
    Step step = steps[index].overflow();
    return half == 0 ? step.salt1 + NameKind.OVERFLOW1 : step.salt2 + NameKind.OVERFLOW2;
  }

  /** The permits that the request costs. */
  public long costPermits() {
    return costPermits;
  }

  /** The api: its name as the file writes it, or the route's match where no line fits. */
  public String api() {
    return api == null ? "" : api.name;
  }

  /** Whether a line names the api. */
  public boolean isNamedApi() {
    return api != null && api.isNamed;
  }

  /** Whether an enforced quota is blocked, so that no limit is asked. */
  public boolean isBlocked() {
    return blocked != null;
  }

  /** Whether a shadow quota is blocked. */
  public boolean isShadowBlocked() {
    return shadowBlocked != null;
  }

  /** The first blocked quota, if one is. */
  public Optional<PlannedQuota> blocked() {
    return Optional.ofNullable(blocked).map(this::planned);
  }

  /** The first blocked shadow quota, if one is. */
  public Optional<PlannedQuota> shadowBlocked() {
    return Optional.ofNullable(shadowBlocked).map(this::planned);
  }

  /** From now on every quota that is met is kept. */
  void keepQuotas() {
    quotas = new ArrayList<>();
  }

  boolean keepsQuotas() {
    return quotas != null;
  }

  /** The quotas that were met; none where they were not kept. */
  List<PlannedQuota> quotas() {
    return quotas == null ? List.of() : quotas.stream().map(this::planned).toList();
  }

  private PlannedQuota planned(QuotaSteps quota) {
    return new PlannedQuota(quota.kind.layer, quota.kind.subject(quota.name, this), quota.quota);
  }

  /** Whether the request meets several limits of a layer that may be told. */
  public boolean isAmbiguous(Layer layer) {
    int met = 0;
    for (int i = 0; i < size; i++) {
      met += steps[i].layer() == layer && !steps[i].isShadow() ? 1 : 0;
    }
    return met > 1;
  }

  /** The caller as subjects write it. */
  public String callerText() {
    return requester.callerText();
  }

  /** The user as subjects write it. */
  public String userText() {
    return requester.userText();
  }

  /** The user, where made-up ids are told from others. */
  String counterUserText() {
    return requester.counterUserText();
  }

  /** How the overflow counter of this plan's caller is called. */
  public String overflowSubject() {
    return callerText() + "!overflow";
  }
}
