package io.quotatree.core.engine;

import io.quotatree.core.ledger.Later;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Certainty;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Wait;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.PlannedQuota;
import io.quotatree.core.policy.Step;
import io.quotatree.core.time.Moment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * What was decided of a request, and why.
 *
 * <p>Filled by {@link Limiter#decide} and reused from request to request; what it tells is worked
 * out when asked, and lasts until the next request. Not for use by several threads at once.
 */
public final class Decision {

  private static final int NONE = -1;
  private static final Wait UNTIL_ASKED_AGAIN = new Wait(1_000_000);

  final Plan plan = new Plan();
  final Verdict verdict = new Verdict();
  final Moment moment = new Moment();
  final Waiting waiting = new Waiting();
  private final LimitStates states = new LimitStates(plan, verdict);
  private final Answer answer = new Answer();

  /**
   * False from when a request is taken until it was decided, so that no mistake looks like a grant.
   */
  private boolean isDecided;

  /** Whether what it charged may still be settled. */
  private boolean isOpen;

  /** Completes the decision before anybody hears of it. */
  private final class Answer implements Later {

    /**
     * Written before the question is asked, read by the ledger's thread, to which the question is
     * handed over.
     */
    private Later then = waiting;

    @Override
    public void answered() {
      decided();
      then.answered();
    }
  }

  /** A decision about nothing yet. */
  public Decision() {}

  void begin() {
    if (verdict.isHolding()) {
      throw new IllegalStateException(
          "the decision holds permits in flight: release it before it is used again");
    }
    isDecided = false;
    isOpen = false;
    verdict.clear();
  }

  /** What a ledger is to tell when the answer is not there at once. */
  Later tell(Later later) {
    // Mostly the last one again: a reference that is written costs a fence.
    if (answer.then != later) {
      answer.then = later;
    }
    return answer;
  }

  void decided() {
    isDecided = true;
    isOpen = allowed();
  }

  /** Closes the account; true for whoever has to settle it. */
  boolean endAccount() {
    boolean open = isOpen;
    isOpen = false;
    return open;
  }

  /** How it ended; refused where nothing was decided. */
  public Outcome outcome() {
    if (isUnavailable()) {
      return Outcome.UNAVAILABLE;
    }
    return allowed() ? Outcome.ALLOWED : Outcome.REFUSED;
  }

  /** Whether every limit granted. */
  public boolean allowed() {
    return isDecided && !plan.isBlocked() && !verdict.isRefused() && !verdict.isUnavailable();
  }

  /** Whether nobody could be asked; then there is neither a layer nor a limit to tell of. */
  private boolean isUnavailable() {
    return isDecided && verdict.isUnavailable();
  }

  /** Whether the request was allowed and a shadow limit would have refused it. */
  public boolean wouldRefuse() {
    return allowed() && (plan.isShadowBlocked() || firstShadowRefusal() != NONE);
  }

  /** How sure it is. */
  public Certainty certainty() {
    return isDecided ? verdict.certainty() : Certainty.EXACT;
  }

  /** The layer that refused; empty when allowed. */
  public Optional<Layer> layer() {
    if (plan.isBlocked()) {
      return plan.blocked().map(PlannedQuota::layer);
    }
    return verdict.isRefused()
        ? Optional.of(plan.step(verdict.firstRefusal()).layer())
        : Optional.empty();
  }

  /**
   * The limit to tell of. When refused, of the refusing layer's limits that refuse the one with the
   * longest wait; when allowed the one with the smallest share left. Empty where no limit may be
   * told.
   */
  public Optional<LimitState> told() {
    if (plan.isBlocked()) {
      return plan.blocked().map(LimitStates::blocked);
    }
    if (isUnavailable()) {
      return Optional.empty();
    }
    return state(verdict.isRefused() ? longestWait() : smallestShare(i -> plan.step(i).isTold()));
  }

  /**
   * When allowed, the limit with the smallest share left among the caller's own: those of the
   * caller, its users, and its share of apis. Empty where there is none, and when refused.
   */
  public Optional<LimitState> toldOwn() {
    if (!allowed()) {
      return Optional.empty();
    }
    return state(smallestShare(i -> plan.step(i).isTold() && plan.step(i).isOwn()));
  }

  /** The first shadow quota that would have refused the request; empty where none would. */
  public Optional<LimitState> shadow() {
    if (plan.isBlocked() || isUnavailable()) {
      return Optional.empty();
    }
    return plan.isShadowBlocked()
        ? plan.shadowBlocked().map(LimitStates::blocked)
        : state(firstShadowRefusal());
  }

  /** Every enforced limit that would refuse the request now, in order; empty when allowed. */
  public List<LimitState> refusing() {
    if (plan.isBlocked()) {
      return plan.blocked().map(LimitStates::blocked).stream().toList();
    }
    if (isUnavailable()) {
      return List.of();
    }
    List<LimitState> refusing = new ArrayList<>();
    for (int i = 0; i < plan.size(); i++) {
      if (isRefusing(i)) {
        refusing.add(states.at(i));
      }
    }
    return refusing;
  }

  /**
   * The longest wait of all limits that would refuse the request now; zero when allowed; may be
   * never. A second where nobody could be asked.
   */
  public Wait retryAfter() {
    if (plan.isBlocked()) {
      return Wait.NEVER;
    }
    if (isUnavailable()) {
      return UNTIL_ASKED_AGAIN;
    }
    long micros = 0;
    for (int i = 0; i < plan.size(); i++) {
      if (isRefusing(i)) {
        micros = Math.max(micros, verdict.waitMicros(i));
      }
    }
    return new Wait(micros);
  }

  /** The permits that the request costs. */
  public long costPermits() {
    return plan.costPermits();
  }

  /** The api: its name as its line writes it, or the match of the route where no line fits. */
  public String api() {
    return plan.api();
  }

  /** The caller as subjects write it; {@code anonymous} where the request named none. */
  public String caller() {
    return plan.callerText();
  }

  /**
   * The user as subjects write it: an id, {@code anonymous} for the pool, {@code ip:ADDR}, {@code
   * net:PREFIX} or {@code sid:HASH}.
   */
  public String user() {
    return plan.userText();
  }

  /**
   * The layers whose limits would refuse the request now, each once, in order; of an allowed
   * request those whose shadow limits would have refused it.
   */
  public Set<Layer> hitLayers() {
    Set<Layer> layers = new LinkedHashSet<>();
    if (plan.isBlocked()) {
      plan.blocked().map(PlannedQuota::layer).ifPresent(layers::add);
      return layers;
    }
    boolean refused = verdict.isRefused();
    if (!refused) {
      plan.shadowBlocked().map(PlannedQuota::layer).ifPresent(layers::add);
    }
    for (int i = 0; i < plan.size(); i++) {
      if (verdict.refuses(i) && isShadow(i) != refused) {
        layers.add(plan.step(i).layer());
      }
    }
    return layers;
  }

  /**
   * Whether the request met an enforced fixed window that began less than so long ago, and is
   * longer than that. Allocates nothing.
   */
  public boolean metWindowStart(long firstMicros) {
    if (plan.isBlocked()) {
      return false;
    }
    for (int i = 0; i < plan.size(); i++) {
      Step step = verdict.inForce(plan, i);
      RateLimit limit = step.limit();
      if (limit != null
          && limit.algorithm() == AlgorithmName.FIXED_WINDOW
          && !step.isShadow()
          && limit.rate().periodMicros() > firstMicros) {
        long toEnd = verdict.resetMicros(plan, i);
        if (toEnd > 0 && limit.rate().periodMicros() - toEnd < firstMicros) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a line of the quotas names the api; else {@link #api} is the match of the route. */
  public boolean isNamedApi() {
    return plan.isNamedApi();
  }

  /** Whether it holds permits in flight, to be given back by {@link Limiter#release}. */
  public boolean holding() {
    return verdict.isHolding();
  }

  private boolean isShadow(int index) {
    return plan.step(index).isShadow();
  }

  private boolean isRefusing(int index) {
    return !isShadow(index) && verdict.refuses(index);
  }

  private int firstShadowRefusal() {
    for (int i = 0; i < plan.size(); i++) {
      if (isShadow(i) && verdict.refuses(i)) {
        return i;
      }
    }
    return NONE;
  }

  private int longestWait() {
    int longest = verdict.firstRefusal();
    Layer layer = plan.step(longest).layer();
    for (int i = longest + 1; i < plan.size(); i++) {
      if (plan.step(i).layer() == layer
          && isRefusing(i)
          && verdict.waitMicros(i) > verdict.waitMicros(longest)) {
        longest = i;
      }
    }
    return longest;
  }

  /**
   * What was found of the counters that a subject's text may stand for.
   *
   * @param applying how many of the plan's limits, from the first, apply to the subject now; the
   *     others are told of only where they are in use
   */
  List<LimitState> usage(int applying) {
    return states.usage(applying);
  }

  private Optional<LimitState> state(int index) {
    return index == NONE ? Optional.empty() : Optional.of(states.at(index));
  }

  private int smallestShare(IntPredicate among) {
    int smallest = NONE;
    long left = 0;
    long of = 0;
    for (int i = 0; i < plan.size(); i++) {
      if (!among.test(i)) {
        continue;
      }
      long remaining = verdict.remaining(plan, i);
      long capacity = verdict.inForce(plan, i).algorithm().capacityPermits();
      // remaining/capacity < left/of; both are at most 10^9, so the products fit.
      if (smallest == NONE || remaining * of < left * capacity) {
        smallest = i;
        left = remaining;
        of = capacity;
      }
    }
    return smallest;
  }
}
