package io.quotatree.testkit;

import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.ManualTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Requests that go by quotas which the counter has left behind: another request came first, with
 * those of a reload.
 */
class LateRequestsTest {

  private final MemoryLedger ledger = new MemoryLedger();
  private final ManualTicker ticker = new ManualTicker(Instant.parse("2026-01-01T00:00:00Z"));
  private final Limiter late = limiter("10/min");
  private final Limiter newer = limiter("20/min");

  private Limiter limiter(String limit) {
    return new Limiter(Policy.compile(tree(caller(tokenBucket(limit))), "gw"), ledger, ticker);
  }

  private static Decision send(Limiter limiter) {
    Decision decision = new Decision();
    limiter.decide(Request.of("app", "u", "GET", "/x"), decision);
    return decision;
  }

  private static long granted(Limiter limiter, int times) {
    return IntStream.range(0, times).filter(i -> send(limiter).allowed()).count();
  }

  private static LimitState told(Limiter limiter) {
    return send(limiter).told().orElseThrow();
  }

  @Test
  void it_is_told_what_is_left_in_the_figures_of_its_own_quotas() {
    assertThat(granted(newer, 5)).isEqualTo(5);
    LimitState toldLate = told(late);
    assertThat(toldLate.text()).isEqualTo("10/min");
    assertThat(toldLate.remainingPermits()).isEqualTo(4);
    assertThat(toldLate.reset().micros()).isEqualTo(6 * 6_000_000);
    LimitState toldNewer = told(newer);
    assertThat(toldNewer.text()).isEqualTo("20/min");
    assertThat(toldNewer.remainingPermits()).isEqualTo(13);
  }

  @Test
  void it_is_granted_what_the_newer_quotas_grant_and_waits_as_they_say() {
    assertThat(granted(newer, 5)).isEqualTo(5);
    assertThat(granted(late, 100)).isEqualTo(15);
    assertThat(send(late).retryAfter().micros()).isEqualTo(3_000_000);
    ticker.advance(Duration.ofSeconds(3));
    assertThat(granted(late, 9)).isOne();
  }
}
