package io.quotatree.testkit.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.quotatree.core.memory.MemoryLedger;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * G3: the memory ledger's decisions are the reference's, one by one.
 *
 * <p>{@code -Dquotatree.traces=200000} plays more traces, {@code -Dquotatree.seed=17} that one
 * alone.
 */
@Execution(ExecutionMode.CONCURRENT)
class MemoryLedgerTracesTest {

  private static final long TRACES = Long.getLong("quotatree.traces", 20_000);
  private static final long FIRST_SEED = Long.getLong("quotatree.first_seed", 0);
  private static final long PER_TEST = 1_000;

  static LongStream seeds() {
    Long only = Long.getLong("quotatree.seed");
    return only != null
        ? LongStream.of(only)
        : LongStream.range(0, TRACES / PER_TEST).map(i -> FIRST_SEED + i * PER_TEST);
  }

  @ParameterizedTest(name = "seeds from {0}")
  @MethodSource("seeds")
  void decides_as_the_reference_does(long firstSeed) {
    long seeds = Long.getLong("quotatree.seed") != null ? 1 : PER_TEST;
    for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
      Trace trace = Trace.of(seed);
      if (difference(trace).isPresent()) {
        Trace shrunk = TraceShrinker.shrunk(trace, t -> difference(t).isPresent());
        fail(
            "seed %d: run again with -Dquotatree.seed=%d%n%s%nof %s%nwhole: %s"
                .formatted(
                    seed, seed, difference(shrunk).orElseThrow(), shrunk.text(), trace.text()));
      }
    }
  }

  @Test
  void at_least_twenty_thousand_traces_are_played() {
    assertThat(TRACES).isGreaterThanOrEqualTo(20_000);
  }

  private static Optional<Difference> difference(Trace trace) {
    return TraceComparison.first(trace, ticker -> new MemoryLedger());
  }
}
