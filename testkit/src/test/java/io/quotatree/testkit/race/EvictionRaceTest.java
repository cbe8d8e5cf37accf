package io.quotatree.testkit.race;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.tree;
import static io.quotatree.testkit.Trees.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.testkit.Stage;
import io.quotatree.testkit.oracle.OracleLedger;
import io.quotatree.testkit.oracle.OracleMoment;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Counters come, grow, are dropped and share under threads, and none gives back permits early. */
class EvictionRaceTest {

  static Stream<RateLimit> threeASecond() {
    return Stream.of(
        tokenBucket("3/s"), fixedWindow("3/s"), slidingWindow("3/s", 5), slidingLog("3/s"));
  }

  private static Request request(int user) {
    return Request.of("app", "u" + user, "GET", "/x");
  }

  @ParameterizedTest
  @MethodSource("threeASecond")
  void every_subject_of_a_growing_table_gets_its_own_permits(RateLimit limit) {
    int subjects = 30_000;
    Stage stage = new Stage(tree(user(limit)), ticker -> new MemoryLedger());
    AtomicIntegerArray granted = new AtomicIntegerArray(subjects);
    Crowd.all(
        thread -> {
          Decision decision = new Decision();
          for (int i = 0; i < subjects; i++) {
            // Two threads go up and two down: they meet in the middle and at both ends.
            int subject = thread % 2 == 0 ? i : subjects - 1 - i;
            stage.limiter().decide(request(subject), decision);
            granted.addAndGet(subject, decision.allowed() ? 1 : 0);
          }
          return 0;
        });
    assertThat(IntStream.range(0, subjects).map(granted::get)).allMatch(count -> count == 3);
    assertThat(((MemoryLedger) stage.ledger()).subjects()).isEqualTo(subjects);
  }

  @ParameterizedTest
  @MethodSource("threeASecond")
  void where_there_is_no_room_nobody_gets_more_than_his_own(RateLimit limit) {
    int subjects = 2_000;
    QuotaTree small = tree(user(limit)).withMaxSubjects(100);
    Stage stage = new Stage(small, ticker -> new MemoryLedger());
    AtomicIntegerArray granted = new AtomicIntegerArray(subjects);
    Crowd.all(
        thread -> {
          SplittableRandom random = new SplittableRandom(thread);
          Decision decision = new Decision();
          for (int i = 0; i < 20_000; i++) {
            int subject = random.nextInt(subjects);
            stage.limiter().decide(request(subject), decision);
            granted.addAndGet(subject, decision.allowed() ? 1 : 0);
          }
          return 0;
        });
    int[] counts = IntStream.range(0, subjects).map(granted::get).toArray();
    assertThat(IntStream.of(counts)).allMatch(count -> count <= 3);
    // At most a hundred counters of their own, and a thread of luck each, besides the shared one.
    assertThat(IntStream.of(counts).sum()).isBetween(3, 3 * (100 + Crowd.THREADS + 1));
    assertThat(((MemoryLedger) stage.ledger()).overflows()).isPositive();
  }

  @ParameterizedTest
  @MethodSource("threeASecond")
  void counters_that_are_dropped_and_made_again_decide_as_if_they_had_stayed(RateLimit limit) {
    int rounds = 60;
    int subjects = 3_000;
    Stage stage = new Stage(tree(user(limit)), ticker -> new MemoryLedger());
    AtomicIntegerArray granted = new AtomicIntegerArray(rounds * subjects);
    CyclicBarrier round = new CyclicBarrier(Crowd.THREADS, () -> stage.advanceMicros(331_007));
    Crowd.all(
        thread -> {
          Decision decision = new Decision();
          for (int r = 0; r < rounds; r++) {
            for (int subject : asked(r, thread, subjects)) {
              stage.limiter().decide(request(subject), decision);
              granted.addAndGet(r * subjects + subject, decision.allowed() ? 1 : 0);
            }
            Crowd.meet(round);
          }
          return 0;
        });
    assertThat(IntStream.range(0, rounds * subjects).map(granted::get).toArray())
        .isEqualTo(expected(limit, rounds, subjects));
  }

  /** Whom a thread asks for in a round: the same each time it is asked. */
  private static int[] asked(int round, int thread, int subjects) {
    return new SplittableRandom(31L * round + thread)
        .ints(700, round * 40, Math.min(subjects, round * 40 + 300))
        .toArray();
  }

  private static int[] expected(RateLimit limit, int rounds, int subjects) {
    OracleLedger oracle = new OracleLedger();
    QuotaTree tree = tree(user(limit));
    int[] granted = new int[rounds * subjects];
    for (int r = 0; r < rounds; r++) {
      long micros = r * 331_007L;
      long start = Stage.START.getEpochSecond() * 1_000_000;
      OracleMoment now = new OracleMoment(micros, start + micros);
      for (int thread = 0; thread < Crowd.THREADS; thread++) {
        for (int subject : asked(r, thread, subjects)) {
          boolean allowed = oracle.decide(tree, "gw-1", request(subject), now).allowed();
          granted[r * subjects + subject] += allowed ? 1 : 0;
        }
      }
    }
    return granted;
  }
}
