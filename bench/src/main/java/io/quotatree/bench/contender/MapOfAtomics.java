package io.quotatree.bench.contender;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A {@code ConcurrentHashMap} of atomics for each layer. Nothing is ever evicted. */
final class MapOfAtomics implements Flat {

  private final FourAtomics atomics = new FourAtomics(Gcra.USER);
  private final ConcurrentHashMap<String, AtomicLong> callers = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, AtomicLong> users = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, AtomicLong> apis = new ConcurrentHashMap<>();

  @Override
  public boolean decide(FlatKeys keys, Object scratch) {
    return atomics.decide(
        counter(callers, keys.caller()), counter(users, keys.user()), counter(apis, keys.api()));
  }

  private static AtomicLong counter(ConcurrentHashMap<String, AtomicLong> map, String key) {
    AtomicLong known = map.get(key);
    return known == null ? map.computeIfAbsent(key, k -> new AtomicLong()) : known;
  }

  @Override
  public void putInDebt(FlatKeys keys) {
    atomics.userBucket().putInDebt(counter(users, keys.user()), System.nanoTime());
  }
}
