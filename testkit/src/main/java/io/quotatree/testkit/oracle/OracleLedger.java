package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Wait;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The plain reference: what each request should get, and what it should cost.
 *
 * <p>It holds nothing but counters, each under the limit that it was last charged under. The tree
 * in force is handed over with each request, so a reload is another tree. Times must not go back.
 * Not safe for several threads.
 */
public final class OracleLedger {

  private final Map<CounterName, RateCounter> rates = new HashMap<>();
  private final Map<CounterName, InFlightCounter> inFlight = new HashMap<>();
  private final Map<Long, List<InFlightCounter>> held = new HashMap<>();
  private final Map<Long, Account> accounts = new HashMap<>();
  private long decisions;
  private @Nullable QuotaTree lastTree;
  private long revision;

  /** What an allowed decision was charged, where, and when. */
  private record Account(
      List<AskedLimit> limits, long costPermits, OracleMoment chargedAt, long revision) {}

  /** A ledger in which nothing is used. */
  public OracleLedger() {}

  /**
   * Decides a request at one gateway, and charges it.
   *
   * @param tree the tree in force
   * @param nodeId the gateway
   * @param request the request; its path must be tame: see the class of that name
   * @param now the time
   */
  public OracleDecision decide(QuotaTree tree, String nodeId, Request request, OracleMoment now) {
    if (!tree.equals(lastTree)) {
      lastTree = tree;
      revision++;
    }
    RequestPlan plan = RequestPlan.of(tree, nodeId, request);
    Optional<AskedQuota> blocked =
        plan.quotas().stream().filter(AskedQuota::blocked).filter(AskedQuota::enforced).findFirst();
    decisions++;
    return blocked
        .map(quota -> Answers.blocked(decisions, plan, quota))
        .orElseGet(() -> new Deciding(plan, now).decision());
  }

  /** Gives back what a decision holds; again, or for one that holds nothing, it does nothing. */
  public void release(OracleDecision decision) {
    List<InFlightCounter> counters = held.remove(decision.number());
    if (counters != null) {
      counters.forEach(InFlightCounter::release);
    }
  }

  /**
   * Replaces what an allowed decision was charged by the true cost: gives back what was too much,
   * except to the node layer, or takes what was too little, past the limit if need be.
   *
   * @return false for a decision that was not allowed, or was settled before
   */
  public boolean settle(OracleDecision decision, long trueCost, OracleMoment now) {
    Account account = accounts.remove(decision.number());
    if (account == null) {
      return false;
    }
    long more = trueCost - account.costPermits();
    for (AskedLimit limit : account.limits()) {
      RateCounter counter = rates.get(limit.counterName());
      if (counter != null && more > 0) {
        counter.owe(more, now);
      } else if (counter != null && more < 0 && limit.of().layer() != Layer.NODE) {
        counter.refund(-more, account.chargedAt(), now);
      }
    }
    return true;
  }

  /**
   * Whether it is written which limit a debt of this decision would be worked off by: not where
   * nothing is used and another limit or other quotas came into force since. Then a ledger may have
   * forgotten the counter, or not.
   */
  public boolean settlesForCertain(OracleDecision decision, OracleMoment now) {
    Account account = accounts.get(decision.number());
    return account == null
        || account.limits().stream()
            .allMatch(
                limit -> {
                  RateCounter counter = rates.get(limit.counterName());
                  return counter == null
                      || counter.reset(now).micros() > 0
                      || (account.revision() == revision
                          && counter.writtenUnder().equals(limit.rate().orElseThrow()));
                });
  }

  /** Empties the counters of a subject, requests in flight excepted. */
  public void reset(Layer layer, String subject) {
    rates.forEach(
        (name, counter) -> {
          if (name.of(layer, subject)) {
            counter.empty();
          }
        });
  }

  /** Requests that now hold a permit of any kind. */
  public int holders() {
    return held.size();
  }

  private Counter counter(AskedLimit limit, OracleMoment now) {
    if (limit.rate().isEmpty()) {
      InFlightCounter counter =
          inFlight.computeIfAbsent(limit.counterName(), name -> new InFlightCounter());
      counter.meet(limit.permits());
      return counter;
    }
    RateCounter counter =
        rates.computeIfAbsent(
            limit.counterName(), name -> RateCounter.of(limit.rate().get(), limit.staggerMicros()));
    counter.meet(limit.rate().get(), revision, now);
    return counter;
  }

  /** One decision in the making. */
  private final class Deciding {

    private final RequestPlan plan;
    private final OracleMoment now;
    private final List<Met> met = new ArrayList<>();
    private final List<Met> refusing;

    Deciding(RequestPlan plan, OracleMoment now) {
      this.plan = plan;
      this.now = now;
      for (AskedQuota quota : plan.quotas()) {
        for (AskedLimit limit : quota.limits()) {
          met.add(new Met(limit, counter(limit, now)));
        }
      }
      refusing = met.stream().filter(Met::enforced).filter(one -> !grants(one)).toList();
    }

    OracleDecision decision() {
      return refusing.isEmpty() ? allowed() : refused();
    }

    private OracleDecision allowed() {
      boolean wouldRefuse =
          !met.stream().allMatch(this::grants)
              || plan.quotas().stream().anyMatch(AskedQuota::blocked);
      List<InFlightCounter> holds = new ArrayList<>();
      List<AskedLimit> charged = new ArrayList<>();
      for (Met one : met.stream().filter(this::grants).toList()) {
        charge(one);
        if (one.limit().rate().isPresent()) {
          charged.add(one.limit());
        }
        if (plan.costPermits() > 0 && one.counter() instanceof InFlightCounter counter) {
          holds.add(counter);
        }
      }
      if (!holds.isEmpty()) {
        held.put(decisions, holds);
      }
      accounts.put(decisions, new Account(charged, plan.costPermits(), now, revision));
      return new OracleDecision(
          decisions,
          Outcome.ALLOWED,
          Optional.empty(),
          Answers.scarcest(states(met.stream().filter(Met::toldWhenAllowed).toList(), false)),
          Answers.scarcest(states(met.stream().filter(Met::own).toList(), false)),
          List.of(),
          Waits.NONE,
          wouldRefuse,
          !holds.isEmpty(),
          plan.costPermits(),
          plan.api());
    }

    private OracleDecision refused() {
      Layer layer = refusing.get(0).layer();
      List<LimitState> states = states(refusing, true);
      chargeLooseBefore(layer);
      List<LimitState> ofLayer = states.stream().filter(one -> one.layer() == layer).toList();
      return new OracleDecision(
          decisions,
          Outcome.REFUSED,
          Optional.of(layer),
          Answers.longest(ofLayer),
          Optional.empty(),
          states,
          Answers.longest(states).map(LimitState::retryAfter).orElseThrow(),
          false,
          false,
          plan.costPermits(),
          plan.api());
    }

    /** What loose quotas of earlier layers took stays taken, permits in flight excepted. */
    private void chargeLooseBefore(Layer layer) {
      for (Met one : met) {
        if (one.layer() == layer) {
          return;
        }
        if (one.loose() && one.limit().rate().isPresent() && grants(one)) {
          charge(one);
        }
      }
    }

    private boolean grants(Met one) {
      return one.counter().grants(Math.max(plan.costPermits(), 1), now);
    }

    private void charge(Met one) {
      if (plan.costPermits() > 0) {
        one.counter().charge(plan.costPermits(), now);
      }
    }

    private List<LimitState> states(List<Met> some, boolean refused) {
      return some.stream().map(one -> state(one, refused)).toList();
    }

    private LimitState state(Met one, boolean refused) {
      AskedQuota of = one.limit().of();
      Wait wait = refused ? one.counter().wait(Math.max(plan.costPermits(), 1), now) : Waits.NONE;
      return new LimitState(
          of.layer(),
          of.subject(),
          one.limit().rate(),
          one.limit().permits(),
          one.limit().capacity(),
          one.counter().remaining(now),
          one.counter().reset(now),
          wait,
          of.quota().origin(),
          met.stream().filter(Met::enforced).filter(other -> other.layer() == of.layer()).count()
              > 1);
    }
  }
}
