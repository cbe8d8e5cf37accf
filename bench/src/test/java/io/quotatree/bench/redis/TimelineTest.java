package io.quotatree.bench.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class TimelineTest {

  private static final long ONSET = TimeUnit.MILLISECONDS.toNanos(100);

  private final Timeline timeline = new Timeline();

  @Test
  void until_a_store_fails_all_is_before_that() {
    assertThat(timeline.phase(timeline.now())).isEqualTo(Phase.BEFORE);
  }

  @Test
  void the_first_tenth_of_a_second_of_a_failure_counts_apart() {
    long begun = timeline.begins();

    assertThat(timeline.phase(begun - 1)).isEqualTo(Phase.BEFORE);
    assertThat(timeline.phase(begun)).isEqualTo(Phase.ONSET);
    assertThat(timeline.phase(begun + ONSET - 1)).isEqualTo(Phase.ONSET);
    assertThat(timeline.phase(begun + ONSET)).isEqualTo(Phase.MEANWHILE);
  }

  @Test
  void a_failure_is_over_when_the_store_is_let_back() {
    timeline.begins();
    long ending = timeline.ends();

    assertThat(timeline.phase(ending)).isEqualTo(Phase.RETURNED);
  }
}
