package io.quotatree.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LedgerClockTest {

  private final ManualTicker ticker = new ManualTicker(Instant.parse("2026-01-01T00:00:00Z"));
  private final LedgerClock clock = new LedgerClock(ticker);
  private final Moment moment = new Moment();
  private final long startMicros =
      Instant.parse("2026-01-01T00:00:00Z").getEpochSecond() * 1_000_000;

  private long windowMillis() {
    clock.read(moment);
    return (moment.windowMicros() - startMicros) / 1000;
  }

  @Test
  void both_times_run_together() {
    ticker.advance(Duration.ofMillis(1500));
    assertThat(windowMillis()).isEqualTo(1500);
    assertThat(moment.monotonicMicros()).isEqualTo(1_500_000);
  }

  @Test
  void a_step_of_up_to_a_second_changes_nothing() {
    ticker.stepWall(Duration.ofSeconds(1));
    assertThat(windowMillis()).isZero();
    ticker.stepWall(Duration.ofSeconds(-2));
    assertThat(windowMillis()).isZero();
  }

  @Test
  void a_jump_ahead_is_followed_at_once() {
    ticker.stepWall(Duration.ofHours(2));
    assertThat(windowMillis()).isEqualTo(7_200_000);
    assertThat(moment.monotonicMicros()).isZero();
  }

  @Test
  void a_step_back_is_approached_a_tenth_slower_and_never_goes_back() {
    ticker.advance(Duration.ofSeconds(100));
    windowMillis();
    ticker.stepWall(Duration.ofSeconds(-3));
    assertThat(windowMillis()).isEqualTo(100_000);
    long last = 100_000;
    for (int i = 1; i <= 20; i++) {
      ticker.advance(Duration.ofSeconds(1));
      long window = windowMillis();
      assertThat(window - last).isEqualTo(900);
      last = window;
    }
    ticker.advance(Duration.ofSeconds(10));
    // Two of the three seconds were to be made up; the third is within what is let be.
    assertThat(windowMillis()).isEqualTo(last + 10_000);
  }

  @Test
  void frequent_readers_slew_as_fast_as_seldom_ones() {
    ticker.stepWall(Duration.ofSeconds(-5));
    windowMillis();
    for (int i = 0; i < 1_000_000; i++) {
      ticker.advance(Duration.ofNanos(7000));
      clock.read(moment);
    }
    assertThat(windowMillis()).isEqualTo(6300);
  }

  @Test
  void monotonic_time_cannot_be_set_back() {
    assertThatThrownBy(() -> ticker.advance(Duration.ofNanos(-1))).hasMessageContaining("stepWall");
  }
}
