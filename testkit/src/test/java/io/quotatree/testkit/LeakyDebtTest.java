package io.quotatree.testkit;

import static io.quotatree.testkit.Limits.leakyBucket;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.ManualTicker;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LeakyDebtTest {

  private static final Request REQUEST = Request.of("app", "u", "GET", "/");

  private final Decision decision = new Decision();
  private final Limiter limiter =
      new Limiter(
          policy(leakyBucket("1000/s", 1_000_000_000)),
          new MemoryLedger(),
          new ManualTicker(Instant.parse("2026-01-01T00:00:00Z")));

  private static Policy policy(RateLimit limit) {
    return Policy.compile(tree(caller(limit)), "gw");
  }

  private boolean isAllowed(long cost) {
    limiter.decide(REQUEST.withCost(cost), decision);
    return decision.allowed();
  }

  @Test
  void a_debt_of_more_than_a_new_limit_could_ever_make_is_not_forgotten() {
    assertThat(isAllowed(999_999_999)).isTrue();
    assertThat(isAllowed(1_000_000_000)).isTrue();
    limiter.use(policy(leakyBucket("1000003/s", 1)));
    assertThat(isAllowed(1)).isFalse();
    // 10^9 permits at the new rate: what is owed beyond them is let off.
    assertThat(decision.retryAfter().micros()).isBetween(999_000_000L, 1_000_000_000L);
  }
}
