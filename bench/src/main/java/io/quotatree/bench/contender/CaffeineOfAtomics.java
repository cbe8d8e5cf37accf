package io.quotatree.bench.contender;

import com.github.benmanes.caffeine.cache.Cache;
import io.quotatree.bench.load.Job;
import java.util.concurrent.atomic.AtomicLong;

/** A Caffeine cache of atomics for each layer, bounded and with an end to idle entries. */
final class CaffeineOfAtomics implements Flat {

  private final FourAtomics atomics;
  private final Cache<String, AtomicLong> callers;
  private final Cache<String, AtomicLong> users;
  private final Cache<String, AtomicLong> apis;

  CaffeineOfAtomics(Job job) {
    atomics = new FourAtomics(job == Job.CHURN ? Gcra.CHURNING_USER : Gcra.USER);
    callers = Caches.ofCallers();
    users = Caches.ofUsers(job);
    apis = Caches.ofApis();
  }

  @Override
  public boolean decide(FlatKeys keys, Object scratch) {
    return atomics.decide(
        callers.get(keys.caller(), k -> new AtomicLong()),
        users.get(keys.user(), k -> new AtomicLong()),
        apis.get(keys.api(), k -> new AtomicLong()));
  }

  @Override
  public void putInDebt(FlatKeys keys) {
    AtomicLong user = users.get(keys.user(), k -> new AtomicLong());
    atomics.userBucket().putInDebt(user, System.nanoTime());
  }
}
