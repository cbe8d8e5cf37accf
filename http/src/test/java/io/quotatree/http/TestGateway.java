package io.quotatree.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Stagger;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.UserLines;
import io.quotatree.core.time.ManualTicker;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A limiter on a clock that stands at midnight of 2026, for tests over real decisions. */
record TestGateway(Limiter limiter, ManualTicker ticker) {

  static TestGateway of(QuotaTree tree) {
    ManualTicker ticker = new ManualTicker(Instant.parse("2026-01-01T00:00:00Z"));
    Policy policy = Policy.compile(tree, "gateway-01");
    return new TestGateway(new Limiter(policy, new MemoryLedger(), ticker), ticker);
  }

  /** A tree in which each user has this quota, and so has each address without a user. */
  static QuotaTree users(Quota quota) {
    return QuotaTree.empty()
        .withUser(new UserLines(quota, null, Map.of(), UserLines.Anonymous.NONE));
  }

  static QuotaTree caller(String name, Quota quota) {
    return QuotaTree.empty()
        .withCaller(new CallerLines(null, List.of(CallerOverride.of(name, quota))));
  }

  static Quota bucket(long permits, long periodMicros) {
    return Quota.of(RateLimit.of(AlgorithmName.TOKEN_BUCKET, Rate.of(permits, periodMicros)));
  }

  /** A fixed window that begins on the clock. */
  static RateLimit window(long permits, long periodMicros) {
    return new RateLimit(
        AlgorithmName.FIXED_WINDOW, Rate.of(permits, periodMicros), permits, 1, Stagger.ALIGNED);
  }

  long wallMicros() {
    return ticker.wallMicros(ticker.monotonicNanos());
  }

  Decision decide(Request request) {
    Decision decision = new Decision();
    limiter.decide(request, decision);
    return decision;
  }

  void allow(Request request, int times) {
    for (int i = 0; i < times; i++) {
      assertThat(decide(request).allowed()).isTrue();
    }
  }

  /** How many of the requests are allowed. */
  long allowed(List<Request> requests) {
    return requests.stream().filter(request -> decide(request).allowed()).count();
  }
}
