package io.quotatree.bench.jmh;

import io.quotatree.core.policy.NameHashing;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The keyed hash of names of usual lengths. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class NameHashes {

  private final NameHashing hash = new NameHashing();
  private String ten = "u-00384726";
  private String twenty = "app-01234/u-00384726";
  private String forty = "6fa459ea-ee8a-3ca4-894e-db77e160355e-000";

  private long hashed(String name) {
    hash.of(1, name);
    return hash.first() ^ hash.second();
  }

  /** Ten characters. */
  @Benchmark
  public long ofTen() {
    return hashed(ten);
  }

  /** Twenty characters. */
  @Benchmark
  public long ofTwenty() {
    return hashed(twenty);
  }

  /** Forty characters. */
  @Benchmark
  public long ofForty() {
    return hashed(forty);
  }
}
