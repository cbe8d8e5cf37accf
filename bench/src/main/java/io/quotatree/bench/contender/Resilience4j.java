package io.quotatree.bench.contender;

import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.time.Duration;

/**
 * Resilience4j's registries. Fixed cycles in every layer; what was acquired before a refusal stays
 * acquired, since there is no way to give it back; a registry forgets nothing by itself.
 */
final class Resilience4j implements Flat {

  private final RateLimiterRegistry nodes = registry(Quotas.WIDE, Duration.ofMinutes(1));
  private final RateLimiterRegistry callers = registry(Quotas.CALLER_BURST, Duration.ofHours(1));
  private final RateLimiterRegistry users = registry(Quotas.USER_BURST, Duration.ofDays(1));
  private final RateLimiterRegistry apis = registry(Quotas.WIDE, Duration.ofHours(1));

  private static RateLimiterRegistry registry(long permits, Duration period) {
    return RateLimiterRegistry.of(
        RateLimiterConfig.custom()
            .limitForPeriod(Math.toIntExact(permits))
            .limitRefreshPeriod(period)
            .timeoutDuration(Duration.ZERO)
            .build());
  }

  @Override
  public boolean decide(FlatKeys keys, Object scratch) {
    return nodes.rateLimiter("node").acquirePermission()
        && callers.rateLimiter(keys.caller()).acquirePermission()
        && users.rateLimiter(keys.user()).acquirePermission()
        && apis.rateLimiter(keys.api()).acquirePermission();
  }

  /** The cycle is a day: what is drained is gone for as long. */
  @Override
  public void putInDebt(FlatKeys keys) {
    users.rateLimiter(keys.user()).acquirePermission(Math.toIntExact(Quotas.USER_BURST));
  }
}
