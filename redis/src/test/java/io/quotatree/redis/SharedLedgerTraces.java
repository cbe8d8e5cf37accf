package io.quotatree.redis;

import static org.junit.jupiter.api.Assertions.fail;

import io.quotatree.testkit.trace.Difference;
import io.quotatree.testkit.trace.Trace;
import io.quotatree.testkit.trace.TraceComparison;
import io.quotatree.testkit.trace.TraceShrinker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * G3: the shared ledger's decisions are the reference's, and so the memory ledger's, one by one.
 *
 * <p>{@code -Dquotatree.redis_traces=20000} plays all traces that the memory ledger is held to,
 * {@code -Dquotatree.seed=17} that one alone. In those of odd seeds gateways count by themselves
 * what is theirs alone.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SharedLedgerTraces {

  private static final long TRACES = Long.getLong("quotatree.redis_traces", 400);
  private static final long FIRST_SEED = Long.getLong("quotatree.first_seed", 0);
  private static final long PER_TEST = 200;

  /** Each waits for its own answers, so together they keep the server busy. */
  private static final int AT_ONCE = 8;

  private final VirtualLedgers ledgers;
  private final ExecutorService players = Executors.newFixedThreadPool(AT_ONCE);

  SharedLedgerTraces(VirtualLedgers ledgers) {
    this.ledgers = ledgers;
  }

  @AfterAll
  void stop() {
    players.shutdown();
    ledgers.end();
    ledgers.close();
  }

  static LongStream seeds() {
    Long only = Long.getLong("quotatree.seed");
    return only != null
        ? LongStream.of(only)
        : LongStream.range(0, TRACES / PER_TEST).map(i -> FIRST_SEED + i * PER_TEST);
  }

  @ParameterizedTest(name = "seeds from {0}")
  @MethodSource("seeds")
  void decides_as_the_reference_does(long firstSeed) throws Exception {
    long seeds = Long.getLong("quotatree.seed") != null ? 1 : PER_TEST;
    List<Future<Boolean>> played = new ArrayList<>();
    for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
      Trace trace = Trace.of(seed);
      played.add(players.submit(() -> difference(trace).isPresent()));
    }
    for (int i = 0; i < played.size(); i++) {
      if (played.get(i).get()) {
        tell(firstSeed + i);
      }
    }
  }

  private void tell(long seed) {
    Trace trace = Trace.of(seed);
    Trace shrunk = TraceShrinker.shrunk(trace, t -> difference(t).isPresent());
    fail(
        "seed %d: run again with -Dquotatree.seed=%d%n%s%nof %s"
            .formatted(
                seed, seed, difference(shrunk).map(Object::toString).orElse("?"), shrunk.text()));
  }

  private Optional<Difference> difference(Trace trace) {
    return TraceComparison.first(
        trace, ticker -> trace.seed() % 2 == 0 ? ledgers.empty() : ledgers.withLocal());
  }
}
