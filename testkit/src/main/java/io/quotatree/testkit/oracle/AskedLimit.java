package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Stagger;
import java.util.Optional;

/**
 * A limit that a request must be granted by.
 *
 * @param of the quota it belongs to
 * @param rate the limit per time; empty for that on requests in flight
 */
record AskedLimit(AskedQuota of, Optional<RateLimit> rate) {

  /** What tells its counter from all others; a limit that differs in it starts anew. */
  CounterName counterName() {
    return new CounterName(
        of.layer(),
        of.subject(),
        of.sharing() == AskedQuota.Sharing.MADE_UP,
        rate.map(
                limit ->
                    limit.algorithm().word()
                        + "-"
                        + limit.rate().periodMicros()
                        + "-"
                        + limit.slices()
                        + "-"
                        + limit.stagger())
            .orElse("in flight"));
  }

  long permits() {
    return rate.map(limit -> limit.rate().permits())
        .orElseGet(() -> (long) of.quota().concurrency().orElseThrow());
  }

  long capacity() {
    return rate.map(RateLimit::capacityPermits).orElseGet(this::permits);
  }

  long staggerMicros() {
    boolean staggered = rate.filter(limit -> limit.stagger() == Stagger.STAGGERED).isPresent();
    return staggered
        ? Names.staggerMicros(of.layer(), of.subject(), rate.orElseThrow().rate().periodMicros())
        : 0;
  }
}
