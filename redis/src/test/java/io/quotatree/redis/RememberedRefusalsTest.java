package io.quotatree.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.Accounting;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memo.RememberingLedger;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.ManualTicker;
import io.quotatree.testkit.store.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a gateway remembers of refusals, on a real store whose own clock hardly moves meanwhile. */
final class RememberedRefusalsTest {

  private static final long YEAR_MICROS = Duration.ofDays(365).toNanos() / 1_000;
  private static final Quota TWO =
      Quota.of(RateLimit.of(AlgorithmName.SLIDING_LOG, Rate.of(2, YEAR_MICROS)));

  private final ManualTicker ticker = new ManualTicker(Instant.parse("2026-01-01T00:00:00Z"));
  private final RedisServer server = RedisServer.start();
  private final RedisLedger store =
      RedisLedger.builder()
          .uri(server.uri())
          .callTimeout(Duration.ofSeconds(10))
          .local(new MemoryLedger())
          .open();
  private final RememberingLedger ledger = new RememberingLedger(store, ticker, step -> false);
  private final Decision decision = new Decision();

  @AfterEach
  void stop() {
    store.close();
    server.close();
  }

  private Limiter limiter(Quota quota) {
    return new Limiter(policy(quota), ledger, ticker);
  }

  private static Policy policy(Quota quota) {
    return Policy.compile(QuotaTree.empty().withCaller(new CallerLines(quota, List.of())), "node");
  }

  private boolean allows(Limiter limiter, String caller, long cost) {
    limiter.decide(Request.of(caller, "u", "GET", "/").withCost(cost), decision);
    assertThat(decision.outcome()).isNotEqualTo(Outcome.UNAVAILABLE);
    return decision.allowed();
  }

  private boolean allows(Limiter limiter) {
    return allows(limiter, "app-a", 1);
  }

  private void useUp(Limiter limiter) {
    assertThat(allows(limiter)).isTrue();
    assertThat(allows(limiter)).isTrue();
    assertThat(allows(limiter)).isFalse();
    assertThat(ledger.told()).isZero();
  }

  @Test
  void a_refused_subject_costs_no_question_until_a_second_is_over() {
    Limiter limiter = limiter(TWO);
    useUp(limiter);
    long waitMicros = decision.retryAfter().micros();
    assertThat(allows(limiter)).isFalse();
    assertThat(decision.retryAfter().micros()).isEqualTo(waitMicros);
    ticker.advance(Duration.ofMillis(999));
    assertThat(allows(limiter)).isFalse();
    assertThat(decision.retryAfter().micros()).isEqualTo(waitMicros - 999_000);
    assertThat(decision.told().orElseThrow().limitPermits()).isEqualTo(2);
    assertThat(decision.told().orElseThrow().remainingPermits()).isZero();
    assertThat(ledger.told()).isEqualTo(2);
    ticker.advance(Duration.ofMillis(1));
    assertThat(allows(limiter)).isFalse();
    assertThat(ledger.told()).isEqualTo(2);
  }

  @Test
  void no_store_is_needed_for_what_is_remembered() {
    Limiter limiter = limiter(TWO);
    useUp(limiter);
    server.kill();
    assertThat(allows(limiter)).isFalse();
    assertThat(ledger.told()).isEqualTo(1);
  }

  @Test
  void it_ends_with_the_wait() {
    Limiter limiter =
        limiter(Quota.of(RateLimit.of(AlgorithmName.TOKEN_BUCKET, Rate.of(2, 1_000_000))));
    useUp(limiter);
    ticker.advance(Duration.ofMillis(500));
    // Whatever the store says by its own clock, it was asked.
    boolean unused = allows(limiter);
    assertThat(ledger.told()).isZero();
  }

  @Test
  void others_are_asked_for() {
    Limiter limiter = limiter(TWO);
    useUp(limiter);
    assertThat(allows(limiter, "app-b", 1)).isTrue();
    assertThat(allows(limiter, "app-b", 2)).isFalse();
    assertThat(allows(limiter, "app-b", 1)).isTrue();
    assertThat(allows(limiter, "app-a", 2)).isFalse();
    assertThat(ledger.told()).isZero();
  }

  @Test
  void a_reset_a_reload_and_a_refund_are_seen_at_once() {
    Limiter limiter = limiter(TWO);
    useUp(limiter);
    assertThat(limiter.reset(Layer.CALLER, "app-a")).isEqualTo(1);
    Decision first = new Decision();
    limiter.decide(Request.of("app-a", "u", "GET", "/"), first);
    assertThat(first.allowed()).isTrue();
    assertThat(allows(limiter)).isTrue();
    assertThat(allows(limiter)).isFalse();
    assertThat(limiter.refund(first)).isTrue();
    assertThat(allows(limiter)).isTrue();
    assertThat(allows(limiter)).isFalse();
    limiter.use(policy(Quota.of(RateLimit.of(AlgorithmName.SLIDING_LOG, Rate.of(3, YEAR_MICROS)))));
    assertThat(allows(limiter)).isTrue();
    assertThat(ledger.told()).isZero();
  }

  @Test
  void a_permit_in_flight_that_comes_back_is_found_at_once() {
    Limiter limiter = limiter(Quota.of(Allowance.UNLIMITED).withConcurrency(1));
    Decision first = new Decision();
    limiter.decide(Request.of("app-a", "u", "GET", "/"), first);
    assertThat(allows(limiter)).isFalse();
    limiter.release(first);
    assertThat(allows(limiter)).isTrue();
    assertThat(ledger.told()).isZero();
  }

  @Test
  void what_a_refused_request_charges_it_goes_on_charging() {
    Limiter limiter = limiter(TWO.withAccounting(Accounting.LOOSE));
    useUp(limiter);
    assertThat(allows(limiter)).isFalse();
    assertThat(ledger.told()).isZero();
  }
}
