package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Wait;
import java.util.ArrayList;
import java.util.List;

/** The time and cost of each grant; those in (t−p, t] count. */
final class SlidingLogCounter extends RateCounter {

  private final List<Grant> grants = new ArrayList<>();

  SlidingLogCounter(RateLimit limit) {
    super(limit);
  }

  @Override
  public boolean grants(long cost, OracleMoment now) {
    return sum(now) + cost <= permits();
  }

  @Override
  public Wait wait(long cost, OracleMoment now) {
    if (cost > permits()) {
      return Wait.NEVER;
    }
    long sum = sum(now);
    if (sum + cost <= permits()) {
      return Waits.NONE;
    }
    for (Grant grant : counting(now)) {
      sum -= grant.cost;
      if (sum + cost <= permits()) {
        return untilLeft(grant, now);
      }
    }
    throw new IllegalStateException("empty and still over " + limit());
  }

  @Override
  public void charge(long cost, OracleMoment now) {
    if (cost > 0) {
      grants.add(new Grant(now.monotonicMicros(), cost));
    }
  }

  @Override
  public long remaining(OracleMoment now) {
    return Math.max(0, permits() - sum(now));
  }

  @Override
  public Wait reset(OracleMoment now) {
    List<Grant> counting = counting(now);
    return counting.isEmpty() ? Waits.NONE : untilLeft(counting.get(counting.size() - 1), now);
  }

  @Override
  void refund(long cost, OracleMoment chargedAt, OracleMoment now) {
    long left = cost;
    for (int i = grants.size() - 1; i >= 0; i--) {
      Grant grant = grants.get(i);
      if (grant.atMicros == chargedAt.monotonicMicros()) {
        long given = Math.min(left, grant.cost);
        left -= given;
        grants.set(i, new Grant(grant.atMicros, grant.cost - given));
      }
    }
    grants.removeIf(grant -> grant.cost == 0);
  }

  @Override
  void empty() {
    grants.clear();
  }

  private long sum(OracleMoment now) {
    return counting(now).stream().mapToLong(Grant::cost).sum();
  }

  private List<Grant> counting(OracleMoment now) {
    long before = now.monotonicMicros() - periodMicros();
    return grants.stream().filter(grant -> grant.atMicros > before).toList();
  }

  private Wait untilLeft(Grant grant, OracleMoment now) {
    return Waits.ofMicros(grant.atMicros + periodMicros() - now.monotonicMicros());
  }

  private record Grant(long atMicros, long cost) {}
}
