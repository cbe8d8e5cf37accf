package io.quotatree.bench.contender;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.quotatree.bench.load.Job;
import io.quotatree.bench.load.Load;
import java.time.Duration;

/** The caches that other limiters' counters are kept in, as their documents advise. */
final class Caches {

  private static final Duration IDLE = Duration.ofHours(1);

  private Caches() {}

  static <T> Cache<String, T> ofCallers() {
    return cache(2L * Load.CALLERS);
  }

  static <T> Cache<String, T> ofApis() {
    return cache(2L * Load.APIS);
  }

  static <T> Cache<String, T> ofUsers(Job job) {
    return cache(
        switch (job) {
          case CHURN -> Load.USERS;
          case FILL, EXPIRE -> Quotas.SUBJECTS;
          default -> 2L * Load.USERS;
        });
  }

  private static <T> Cache<String, T> cache(long entries) {
    return Caffeine.newBuilder().maximumSize(entries).expireAfterAccess(IDLE).build();
  }
}
