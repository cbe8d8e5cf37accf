package io.quotatree.bench.contender;

import java.util.concurrent.atomic.AtomicLong;

/** One decision over four atomics: all are checked, then all are charged or none is. */
final class FourAtomics {

  private final AtomicLong node = new AtomicLong();
  private final Gcra userBucket;

  FourAtomics(Gcra userBucket) {
    this.userBucket = userBucket;
  }

  Gcra userBucket() {
    return userBucket;
  }

  boolean decide(AtomicLong caller, AtomicLong user, AtomicLong api) {
    long now = System.nanoTime();
    if (!Gcra.NODE.grants(node.get(), now)
        || !Gcra.CALLER.grants(caller.get(), now)
        || !userBucket.grants(user.get(), now)
        || !Gcra.API.grants(api.get(), now)) {
      return false;
    }
    if (!userBucket.charge(user, now)) {
      return false;
    }
    if (!Gcra.CALLER.charge(caller, now)) {
      userBucket.undo(user);
      return false;
    }
    if (!Gcra.API.charge(api, now)) {
      userBucket.undo(user);
      Gcra.CALLER.undo(caller);
      return false;
    }
    if (!Gcra.NODE.charge(node, now)) {
      userBucket.undo(user);
      Gcra.CALLER.undo(caller);
      Gcra.API.undo(api);
      return false;
    }
    return true;
  }
}
