package io.quotatree.bench.jmh;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Asking and charging one word, a microsecond later each time. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AlgorithmSteps {

  private static final long SECOND = 1_000_000;
  private static final long START = 1_800_000_000L * SECOND;

  private final WordAlgorithm bucket = word(AlgorithmName.TOKEN_BUCKET, 7, 60 * SECOND);
  private final WordAlgorithm fastBucket = word(AlgorithmName.TOKEN_BUCKET, 999_999_937, SECOND);
  private final WordAlgorithm window = word(AlgorithmName.FIXED_WINDOW, 1_000_000_000, SECOND);
  private long now = START;
  private long bucketWord = bucket.fresh(START, 0);
  private long fastWord = fastBucket.fresh(START, 0);
  private long windowWord = window.fresh(START, 0);

  private static WordAlgorithm word(AlgorithmName name, long permits, long periodMicros) {
    return (WordAlgorithm) Algorithm.of(RateLimit.of(name, Rate.of(permits, periodMicros)));
  }

  private long step(WordAlgorithm algorithm, long word) {
    now++;
    long charged = algorithm.charged(word, now, 1);
    return charged == WordAlgorithm.REFUSED ? word : charged;
  }

  /** A slow bucket, mostly empty. */
  @Benchmark
  public long tokenBucket() {
    bucketWord = step(bucket, bucketWord);
    return bucketWord;
  }

  /** A bucket of a rate that no fraction of small terms writes. */
  @Benchmark
  public long tokenBucketOfAnOddRate() {
    fastWord = step(fastBucket, fastWord);
    return fastWord;
  }

  /** A window of a second. */
  @Benchmark
  public long fixedWindow() {
    windowWord = step(window, windowWord);
    return windowWord;
  }
}
