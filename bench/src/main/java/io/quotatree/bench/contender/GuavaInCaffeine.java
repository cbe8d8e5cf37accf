package io.quotatree.bench.contender;

import com.github.benmanes.caffeine.cache.Cache;
import com.google.common.util.concurrent.RateLimiter;
import io.quotatree.bench.load.Job;

/**
 * Guava's rate limiters in Caffeine. Smooth rates in every layer; what was acquired before a
 * refusal stays acquired, since there is no way to give it back or to ask without acquiring.
 */
final class GuavaInCaffeine implements Flat {

  private static final double ONE_IN_ELEVEN_DAYS = 1e-6;

  private final RateLimiter node = RateLimiter.create((double) Quotas.WIDE);
  private final Cache<String, RateLimiter> callers = Caches.ofCallers();
  private final Cache<String, RateLimiter> users;
  private final Cache<String, RateLimiter> apis = Caches.ofApis();

  GuavaInCaffeine(Job job) {
    users = Caches.ofUsers(job);
  }

  private static RateLimiter wide() {
    return RateLimiter.create((double) Quotas.WIDE);
  }

  @Override
  public boolean decide(FlatKeys keys, Object scratch) {
    return node.tryAcquire()
        && callers.get(keys.caller(), k -> wide()).tryAcquire()
        && users.get(keys.user(), k -> wide()).tryAcquire()
        && apis.get(keys.api(), k -> wide()).tryAcquire();
  }

  @Override
  public void putInDebt(FlatKeys keys) {
    RateLimiter slow = users.get(keys.user(), k -> RateLimiter.create(ONE_IN_ELEVEN_DAYS));
    if (!slow.tryAcquire()) {
      throw new IllegalStateException(keys.user() + " is in debt already");
    }
  }
}
