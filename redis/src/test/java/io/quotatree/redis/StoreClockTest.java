package io.quotatree.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class StoreClockTest {

  private static final long MILLI = Duration.ofMillis(1).toNanos();
  private static final long EPOCH = Duration.ofDays(20_000).toNanos();

  private final StoreClock clock = new StoreClock();

  @BeforeEach
  void begin() {
    assertThat(said(0, 0)).isFalse();
  }

  /** What the store says halfway of 2 ms, where its clock was set by so much. */
  private boolean said(long atMillis, long setMillis) {
    return said(atMillis, setMillis, 2);
  }

  private boolean said(long atMillis, long setMillis, long tripMillis) {
    long asked = atMillis * MILLI;
    long said = EPOCH + asked + setMillis * MILLI + tripMillis * MILLI / 2;
    return clock.goesOn(asked, said, asked + tripMillis * MILLI);
  }

  @Test
  void a_clock_that_goes_on_does_so_for_hours_and_whatever_the_answer_takes() {
    assertThat(said(800, 0)).isTrue();
    assertThat(said(3_600_000, 0, 5_000)).isTrue();
    assertThat(said(7_200_000, 0, 0)).isTrue();
  }

  @Test
  void one_that_was_set_is_told_once() {
    assertThat(said(800, 60_000)).isFalse();
    assertThat(said(1_600, 60_000)).isTrue();
    assertThat(said(2_400, -60_000)).isFalse();
    assertThat(said(3_200, -60_000)).isTrue();
  }

  @Test
  void one_that_drifts_is_told_when_it_has_gone_too_far() {
    assertThat(said(800, 20)).isTrue();
    assertThat(said(1_600, -20)).isTrue();
    assertThat(said(2_400, 24)).isFalse();
    assertThat(said(3_200, 24)).isTrue();
    assertThat(said(4_000, 0)).isFalse();
  }

  @Test
  void a_slow_answer_hides_no_more_than_it_took() {
    assertThat(said(800, 250, 500)).isTrue();
    assertThat(said(1_600, 250)).isFalse();
  }
}
