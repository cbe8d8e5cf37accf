package io.quotatree.core.memory;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.Policy;
import java.util.BitSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class FiguresTest {

  private final Figures figures = new Figures();

  private static void noCounters(BitSet inUse) {}

  private int adopted(RateLimit callers, Consumer<BitSet> counters) {
    Policy policy = Policy.compile(tree(caller(callers)), "gw-1");
    figures.adopt(policy, counters);
    return figures.known(policy, counters).number(policy.steps().get(0));
  }

  /**
   * Loads quotas again and again until the policies before are gone, and all near numbers with
   * them.
   */
  private int adoptedUntilNear(Consumer<BitSet> counters) {
    int number = 0;
    for (int i = 1; i <= 10_000; i++) {
      if (i % 256 == 0) {
        System.gc();
      }
      number = adopted(tokenBucket(i + "/min"), counters);
      if (i > 300 && number < Slots.LOOK_ASIDE) {
        break;
      }
    }
    return number;
  }

  @Test
  void numbers_of_policies_that_are_gone_are_given_out_again() {
    assertThat(adoptedUntilNear(FiguresTest::noCounters)).isLessThan(Slots.LOOK_ASIDE);
  }

  @Test
  void a_number_that_a_counter_is_written_in_is_not_given_out_again() {
    int kept = adopted(tokenBucket("3/s"), FiguresTest::noCounters);
    adoptedUntilNear(inUse -> inUse.set(kept));
    assertThat(figures.algorithm(kept).shape()).isEqualTo("token_bucket-1000");
    assertThat(figures.revision(kept)).isEqualTo(1);
  }

  @Test
  void a_number_that_a_request_under_way_may_still_write_is_not_given_out_again() {
    Policy slow = Policy.compile(tree(caller(tokenBucket("3/s"))), "gw-1");
    figures.adopt(slow, FiguresTest::noCounters);
    int kept = figures.known(slow, FiguresTest::noCounters).number(slow.steps().get(0));
    adoptedUntilNear(FiguresTest::noCounters);
    assertThat(figures.algorithm(kept).shape()).isEqualTo("token_bucket-1000");
    assertThat(figures.known(slow, FiguresTest::noCounters).number(slow.steps().get(0)))
        .isEqualTo(kept);
  }

  @Test
  void a_bucket_has_another_number_after_each_reload_and_a_window_keeps_its_own() {
    int bucket = adopted(tokenBucket("3/s"), FiguresTest::noCounters);
    int window = adopted(fixedWindow("3/s"), FiguresTest::noCounters);
    assertThat(adopted(tokenBucket("3/s"), FiguresTest::noCounters)).isNotEqualTo(bucket);
    assertThat(adopted(fixedWindow("9/s"), FiguresTest::noCounters)).isEqualTo(window);
    assertThat(figures.revision(bucket)).isEqualTo(1);
    assertThat(figures.revision(window)).isEqualTo(4);
  }
}
