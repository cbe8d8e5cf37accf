package io.quotatree.bench.contender;

import com.github.benmanes.caffeine.cache.Cache;
import io.github.bucket4j.Bucket;
import io.quotatree.bench.load.Job;
import java.time.Duration;

/**
 * Bucket4j's local buckets in Caffeine. Token buckets alone: the node refills greedily instead of
 * by a sliding window, the api at intervals. What was consumed before a refusal is added again,
 * which is not exact for an interval that ended meanwhile.
 */
final class Bucket4jInCaffeine implements Flat {

  /** Two million seconds more than a full bucket; Bucket4j refuses debts that it cannot time. */
  private static final long DEBT = Quotas.USER_BURST + 100_000;

  private final Bucket node = greedy(Quotas.WIDE, Quotas.WIDE, Duration.ofMinutes(1));
  private final Cache<String, Bucket> callers = Caches.ofCallers();
  private final Cache<String, Bucket> users;
  private final Cache<String, Bucket> apis = Caches.ofApis();
  private final boolean churning;

  Bucket4jInCaffeine(Job job) {
    users = Caches.ofUsers(job);
    churning = job == Job.CHURN;
  }

  private static Bucket greedy(long capacity, long permits, Duration period) {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(capacity).refillGreedy(permits, period))
        .build();
  }

  private static Bucket newCaller() {
    return greedy(Quotas.CALLER_BURST, Quotas.CALLER_RATE, Duration.ofSeconds(1));
  }

  private Bucket newUser() {
    return churning
        ? greedy(10, 10, Duration.ofSeconds(1))
        : greedy(Quotas.USER_BURST, 1, Duration.ofSeconds(20));
  }

  private static Bucket newApi() {
    return Bucket.builder()
        .addLimit(
            limit -> limit.capacity(Quotas.WIDE).refillIntervally(Quotas.WIDE, Duration.ofHours(1)))
        .build();
  }

  @Override
  public boolean decide(FlatKeys keys, Object scratch) {
    Bucket caller = callers.get(keys.caller(), k -> newCaller());
    Bucket user = users.get(keys.user(), k -> newUser());
    Bucket api = apis.get(keys.api(), k -> newApi());
    if (!node.tryConsume(1)) {
      return false;
    }
    if (!caller.tryConsume(1)) {
      node.addTokens(1);
      return false;
    }
    if (!user.tryConsume(1)) {
      caller.addTokens(1);
      node.addTokens(1);
      return false;
    }
    if (!api.tryConsume(1)) {
      user.addTokens(1);
      caller.addTokens(1);
      node.addTokens(1);
      return false;
    }
    return true;
  }

  @Override
  public void putInDebt(FlatKeys keys) {
    users.get(keys.user(), k -> newUser()).consumeIgnoringRateLimits(DEBT);
  }
}
