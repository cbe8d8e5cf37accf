package io.quotatree.bench.redis;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * How decisions fared while a store failed once.
 *
 * @param fault what befell it
 * @param nanos how long decisions took
 * @param backMillis from the store's return to the last thread's first decision by it
 * @param settledMillis from its return until threads have no more decisions in a row without it
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
    double settledMillis,
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
    return new Survival(
        fault,
        nanos,
        millisSince(timeline.back(), threads, LoadThread::firstExact),
        millisSince(timeline.back(), threads, LoadThread::exactAgain),
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

  private static double millisSince(
      long back, List<LoadThread> threads, ToLongFunction<LoadThread> moment) {
    long last = threads.stream().mapToLong(moment).max().orElseThrow();
    return last == Long.MAX_VALUE
        ? Double.POSITIVE_INFINITY
        : Math.max(0, last - back) / NANOS_PER_MILLI;
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
