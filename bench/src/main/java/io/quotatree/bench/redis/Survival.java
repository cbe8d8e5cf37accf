package io.quotatree.bench.redis;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * How decisions fared while a store failed once.
 *
 * @param fault what befell it
 * @param nanos how long decisions took
 * @param backMillis from the store's return until it decides again, for good
 * @param decisions that were answered
 * @param granted permits of the narrow limit
 * @param bound permits of it that may be granted
 * @param lost decisions that were never answered
 * @param unavailable decisions that nobody could make
 * @param straysBefore decisions without the store before it failed
 * @param straysAfter decisions without it after the first by it on its return
 */
record Survival(
    Fault fault,
    Map<Phase, Histogram> nanos,
    double backMillis,
    long decisions,
    long granted,
    long bound,
    long lost,
    long unavailable,
    long straysBefore,
    long straysAfter) {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double TAIL = 99.9;

  /** What the threads noted; those that hang have lost what they asked. */
  static Survival of(Fault fault, List<LoadThread> threads, Timeline timeline, long limit) {
    Map<Phase, Histogram> nanos = new EnumMap<>(Phase.class);
    for (Phase phase : Phase.values()) {
      Histogram all = new Histogram(3);
      threads.forEach(thread -> all.add(thread.nanos().getOrDefault(phase, new Histogram(3))));
      nanos.put(phase, all);
    }
    long exact = threads.stream().mapToLong(LoadThread::exactAgain).max().orElseThrow();
    return new Survival(
        fault,
        nanos,
        exact == Long.MAX_VALUE
            ? Double.POSITIVE_INFINITY
            : Math.max(0, exact - timeline.back()) / NANOS_PER_MILLI,
        threads.stream().mapToLong(LoadThread::answered).sum(),
        threads.stream().mapToLong(LoadThread::granted).sum(),
        // In the period of the failure: the limit, and once more the limit, which is more than one
        // permit for this one gateway.
        2 * limit,
        threads.stream().mapToLong(LoadThread::lost).sum(),
        threads.stream().mapToLong(LoadThread::unavailable).sum(),
        threads.stream().mapToLong(LoadThread::straysBefore).sum(),
        threads.stream().mapToLong(LoadThread::straysAfter).sum());
  }

  /** The time that one decision in a thousand took longer than. */
  double tailMillis(Phase phase) {
    return histogram(phase).getValueAtPercentile(TAIL) / NANOS_PER_MILLI;
  }

  double longestMillis(Phase phase) {
    return histogram(phase).getMaxValue() / NANOS_PER_MILLI;
  }

  private Histogram histogram(Phase phase) {
    Histogram found = nanos.get(phase);
    if (found == null) {
      throw new IllegalStateException("nothing was noted " + phase.title());
    }
    return found;
  }
}
