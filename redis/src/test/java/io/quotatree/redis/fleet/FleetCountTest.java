package io.quotatree.redis.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.time.ManualTicker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FleetCountTest {

  private final ManualTicker ticker = new ManualTicker(Instant.parse("2026-01-01T00:00:00Z"));
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final List<Long> announced = new ArrayList<>();
  private CompletableFuture<byte[]> answer = new CompletableFuture<>();
  private final Fleet fleet =
      new Fleet(
          hold -> {
            announced.add(hold);
            return answer;
          },
          ticker,
          timer,
          live -> {});

  @AfterEach
  void end() {
    timer.shutdownNow();
  }

  /** A second later the store answers so. */
  private int answered(String text) {
    ticker.advance(Duration.ofSeconds(1));
    answer = CompletableFuture.completedFuture(text.getBytes(StandardCharsets.US_ASCII));
    fleet.announce();
    return fleet.gateways();
  }

  @Test
  void the_number_is_what_the_store_answered_last() {
    assertThat(fleet.gateways()).isOne();
    assertThat(answered("3 2100000")).isEqualTo(3);
    assertThat(answered("2 2100000")).isEqualTo(2);
    assertThat(announced).containsOnly(Fleet.HOLD_MICROS);
  }

  @Test
  void after_a_failure_the_number_only_grows_until_all_had_time_to_come_back() {
    assertThat(answered("3 2100000")).isEqualTo(3);
    ticker.advance(Duration.ofSeconds(30));
    assertThat(answered("1 0")).isEqualTo(3);
    assertThat(answered("4 2100000")).isEqualTo(4);
    assertThat(answered("2 2100000")).isEqualTo(2);
  }

  @Test
  void a_silent_store_is_not_asked_again_until_it_answered_or_failed() {
    fleet.announce();
    fleet.announce();
    assertThat(announced).hasSize(1);
    answer.completeExceptionally(new IllegalStateException("gone"));
    fleet.announce();
    assertThat(announced).hasSize(2);
    assertThat(fleet.gateways()).isOne();
  }

  @Test
  void it_is_asked_again_when_the_first_of_the_others_would_end()
      throws ExecutionException, InterruptedException {
    answered("2 2100000");
    timer.submit(() -> {}).get();
    assertThat(timer.getQueue()).isEmpty();
    answered("2 400000");
    assertThat(timer.getQueue()).hasSize(1);
    assertThat(((Delayed) timer.getQueue().element()).getDelay(TimeUnit.MILLISECONDS))
        .isLessThanOrEqualTo(401);
  }

  @Test
  void who_leaves_says_so_once() {
    answered("2 2100000");
    fleet.close();
    fleet.announce();
    assertThat(announced).containsExactly(Fleet.HOLD_MICROS, 0L);
  }

  @Test
  void an_answer_that_is_none_of_ours_is_a_fleet_of_one() {
    assertThat(answered("x y")).isOne();
  }
}
