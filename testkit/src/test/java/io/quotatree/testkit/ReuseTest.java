package io.quotatree.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.BadPathException;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.ManualTicker;
import io.quotatree.core.time.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Policies and decisions that are used again. */
class ReuseTest {

  private static final long MINUTE = 60_000_000;

  private final ManualTicker ticker = new ManualTicker(Instant.parse("2026-01-01T00:00:00Z"));
  private final Decision decision = new Decision();

  private static QuotaTree callers(long permits) {
    Quota quota = Quota.of(RateLimit.of(AlgorithmName.TOKEN_BUCKET, Rate.of(permits, MINUTE)));
    return QuotaTree.empty().withCaller(new CallerLines(quota, List.of()));
  }

  private int granted(Limiter limiter, int times) {
    int granted = 0;
    for (int i = 0; i < times; i++) {
      limiter.decide(Request.of("a", "u", "GET", "/"), decision);
      granted += decision.allowed() ? 1 : 0;
    }
    return granted;
  }

  @Test
  void a_policy_that_comes_back_is_in_force_again() {
    Policy small = Policy.compile(callers(10), "a");
    Policy large = Policy.compile(callers(1000), "a");
    Limiter limiter = new Limiter(small, new MemoryLedger(), ticker);
    assertThat(granted(limiter, 1)).isEqualTo(1);
    limiter.use(large);
    assertThat(granted(limiter, 1)).isEqualTo(1);
    limiter.use(small);
    assertThat(granted(limiter, 20)).isEqualTo(8);
    ticker.advance(Duration.ofMinutes(1));
    assertThat(granted(limiter, 20)).isEqualTo(10);
  }

  @Test
  void many_reloads_of_the_same_tree_change_nothing() {
    Limiter limiter = new Limiter(Policy.compile(callers(10), "a"), new MemoryLedger(), ticker);
    int granted = 0;
    for (int i = 0; i < 200; i++) {
      limiter.use(Policy.compile(callers(10), "a"));
      granted += granted(limiter, 1);
    }
    assertThat(granted).isEqualTo(10);
  }

  @Test
  void a_decision_about_a_bad_path_grants_nothing() {
    Limiter limiter = new Limiter(Policy.compile(callers(10), "a"), new MemoryLedger(), ticker);
    granted(limiter, 1);
    assertThat(decision.allowed()).isTrue();
    assertThatThrownBy(() -> limiter.decide(Request.of("a", "u", "GET", "/%2F"), decision))
        .isInstanceOf(BadPathException.class);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(granted(limiter, 20)).isEqualTo(9);
  }

  @Test
  void a_blocked_request_tells_nothing_of_the_shadow_limits_of_the_one_before() {
    Quota shadow =
        Quota.of(RateLimit.of(AlgorithmName.TOKEN_BUCKET, Rate.of(1, MINUTE)))
            .withEnforcement(Enforcement.SHADOW);
    QuotaTree tree =
        QuotaTree.empty()
            .withCaller(
                new CallerLines(
                    shadow, List.of(CallerOverride.of("banned", Quota.of(Allowance.BLOCKED)))));
    Limiter limiter = new Limiter(Policy.compile(tree, "a"), new MemoryLedger(), ticker);
    granted(limiter, 2);
    assertThat(decision.shadow()).isPresent();
    limiter.decide(Request.of("banned", "u", "GET", "/"), decision);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.shadow()).isEmpty();
    assertThat(decision.wouldRefuse()).isFalse();
  }

  @Test
  void limits_that_would_share_a_counter_are_refused() {
    RateLimit ten = RateLimit.of(AlgorithmName.TOKEN_BUCKET, Rate.of(10, MINUTE));
    RateLimit five = RateLimit.of(AlgorithmName.TOKEN_BUCKET, Rate.of(5, MINUTE));
    assertThatThrownBy(() -> Quota.of(ten, five)).hasMessageContaining("token_bucket");
    assertThatThrownBy(() -> Rate.of(5, 1500)).hasMessageContaining("whole milliseconds");
  }

  @Test
  void a_verdict_forgets_overflow_counters_and_permits_in_flight_of_the_request_before() {
    Plan plan = new Plan();
    Policy.compile(callers(10), "a").plan(Request.of("a", "u", "GET", "/"), plan);
    Verdict verdict = new Verdict();
    verdict.begin(plan, new Moment());
    verdict.overflowed(0);
    verdict.hold(0);
    verdict.released();
    verdict.begin(plan, new Moment());
    assertThat(verdict.isOverflowed(0)).isFalse();
    assertThat(verdict.holds(0)).isFalse();
    assertThat(verdict.isHolding()).isFalse();
  }
}
