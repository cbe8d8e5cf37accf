package io.quotatree.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.ManualTicker;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * More different limits than a slot's tag tells apart: a counter then says aside in which figures
 * it is written. Windows and requests in flight share a number whatever they permit, and are
 * decided by their own permits all the same.
 */
class ManyFiguresTest {

  private static final long MINUTE = 60_000_000;

  private final Limiter limiter =
      new Limiter(
          policy(window(1_000), window(10)),
          new MemoryLedger(),
          new ManualTicker(Instant.parse("2026-01-01T00:00:00Z")));

  private static Quota window(long permits) {
    return Quota.of(RateLimit.of(AlgorithmName.FIXED_WINDOW, Rate.of(permits, MINUTE)));
  }

  private static Quota inFlight(int permits) {
    return Quota.of(Allowance.UNLIMITED).withConcurrency(permits);
  }

  /** Three hundred callers with a bucket of their own each, and two apis. */
  private static Policy policy(Quota first, Quota second) {
    List<CallerOverride> callers =
        IntStream.range(0, 300)
            .mapToObj(
                i ->
                    CallerOverride.of(
                        "c" + i,
                        Quota.of(
                            RateLimit.of(
                                AlgorithmName.TOKEN_BUCKET,
                                Rate.of(1_000 + i, MINUTE),
                                10_000 + i))))
            .toList();
    List<ApiLines.ApiLine> apis =
        List.of(
            new ApiLines.ApiLine("/first", ApiRule.of(first)),
            new ApiLines.ApiLine("/second", ApiRule.of(second)));
    return Policy.compile(
        QuotaTree.empty()
            .withCaller(new CallerLines(null, callers))
            .withApi(new ApiLines(ApiRule.NONE, apis, List.of())),
        "gw-1");
  }

  private long granted(String path, int requests) {
    return IntStream.range(0, requests)
        .filter(
            i -> {
              Decision decision = new Decision();
              limiter.decide(Request.of("c" + i % 300, "u", "GET", path), decision);
              return decision.allowed();
            })
        .count();
  }

  @Test
  void a_window_is_decided_by_its_own_permits() {
    assertThat(granted("/first", 2_000)).isEqualTo(1_000);
    assertThat(granted("/second", 2_000)).isEqualTo(10);
  }

  @Test
  void requests_in_flight_are_decided_by_their_own_permits() {
    limiter.use(policy(inFlight(1_000), inFlight(5)));
    assertThat(granted("/first", 2_000)).isEqualTo(1_000);
    assertThat(granted("/second", 2_000)).isEqualTo(5);
  }

  @Test
  void a_window_that_was_raised_grants_the_difference() {
    assertThat(granted("/second", 50)).isEqualTo(10);
    limiter.use(policy(window(1_000), window(100)));
    assertThat(granted("/second", 500)).isEqualTo(90);
  }
}
