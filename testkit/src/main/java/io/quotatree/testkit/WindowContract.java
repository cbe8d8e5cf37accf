package io.quotatree.testkit;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.staggeredWindow;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.policy.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Windows and logs: where they begin and end, and what counts in them. */
interface WindowContract extends LedgerUnderTest {

  @Test
  default void a_fixed_window_begins_at_whole_periods_and_is_half_open() {
    Stage stage = stage(tree(caller(fixedWindow("3/10s"))));
    stage.advanceMillis(4_000);
    assertThat(stage.allowed(REQUEST, 5)).isEqualTo(3);
    assertThat(stage.send(REQUEST).retryAfter().micros()).isEqualTo(6_000_000);
    stage.advanceMicros(5_999_999);
    assertThat(stage.send(REQUEST).allowed()).isFalse();
    stage.advanceMicros(1);
    assertThat(stage.allowed(REQUEST, 5)).isEqualTo(3);
  }

  @Test
  default void a_fixed_window_tells_its_end_and_nothing_when_nothing_is_used() {
    Stage stage = stage(tree(caller(fixedWindow("3/10s"))));
    assertThat(stage.told(REQUEST.withCost(0)).reset().micros()).isZero();
    stage.advanceMillis(1);
    assertThat(stage.told(REQUEST).reset().micros()).isEqualTo(9_999_000);
  }

  @Test
  default void staggered_windows_of_two_subjects_end_at_their_own_offsets() {
    // The first 8 bytes of SHA-256("caller", NUL, subject) modulo 60,000 ms.
    Stage stage = stage(tree(caller(staggeredWindow("1/h"))));
    assertThat(stage.told(Request.of("app-a", "u", "GET", "/x")).reset().millis())
        .isEqualTo(19_639);
    assertThat(stage.told(Request.of("app-b", "u", "GET", "/x")).reset().millis())
        .isEqualTo(30_867);
    stage.advanceMillis(19_639 - 1);
    assertThat(stage.send(Request.of("app-a", "u", "GET", "/x")).allowed()).isFalse();
    stage.advanceMillis(1);
    assertThat(stage.send(Request.of("app-a", "u", "GET", "/x")).allowed()).isTrue();
    assertThat(stage.told(Request.of("app-a", "u", "GET", "/x")).reset().millis())
        .isEqualTo(3_600_000);
  }

  @Test
  default void a_slice_counts_until_a_period_after_its_end() {
    Stage stage = stage(tree(caller(slidingWindow("3/s", 4))));
    stage.send(REQUEST);
    stage.advanceMillis(250);
    stage.send(REQUEST.withCost(2));
    stage.advanceMillis(150);
    assertThat(stage.send(REQUEST).retryAfter().micros()).isEqualTo(850_000);
    assertThat(stage.send(REQUEST.withCost(2)).retryAfter().micros()).isEqualTo(1_100_000);
    assertThat(stage.told(REQUEST).reset().micros()).isEqualTo(1_100_000);
    stage.advanceMicros(849_999);
    assertThat(stage.send(REQUEST).allowed()).isFalse();
    stage.advanceMicros(1);
    assertThat(stage.allowed(REQUEST, 3)).isEqualTo(1);
  }

  @Test
  default void a_sliding_window_never_grants_more_than_its_permits_in_any_period() {
    Stage stage = stage(tree(caller(slidingWindow("20/s", 7))));
    SplittableRandom random = new SplittableRandom(1);
    List<Long> grantedMicros = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      stage.advanceMicros(random.nextInt(100_000));
      for (int n = random.nextInt(4); n > 0; n--) {
        if (stage.send(REQUEST).allowed()) {
          grantedMicros.add(stage.elapsed().toNanos() / 1000);
        }
      }
    }
    for (int i = 20; i < grantedMicros.size(); i++) {
      assertThat(grantedMicros.get(i) - grantedMicros.get(i - 20))
          .isGreaterThanOrEqualTo(1_000_000);
    }
    assertThat(grantedMicros).hasSizeGreaterThan(3_000);
  }

  @Test
  default void a_sliding_window_is_at_most_one_slice_stricter_than_a_log() {
    Stage stage = stage(tree(caller(slidingWindow("5/s", 10))));
    stage.advanceMillis(30);
    assertThat(stage.allowed(REQUEST, 6)).isEqualTo(5);
    assertThat(stage.send(REQUEST).retryAfter().millis()).isBetween(1_000L, 1_100L);
  }

  @Test
  default void a_log_forgets_each_grant_exactly_a_period_after_it() {
    Stage stage = stage(tree(caller(slidingLog("3/s"))));
    stage.send(REQUEST.withCost(2));
    stage.advanceMillis(400);
    stage.send(REQUEST);
    assertThat(stage.send(REQUEST).retryAfter().micros()).isEqualTo(600_000);
    assertThat(stage.send(REQUEST.withCost(3)).retryAfter().micros()).isEqualTo(1_000_000);
    assertThat(stage.told(REQUEST).reset().micros()).isEqualTo(1_000_000);
    stage.advanceMicros(599_999);
    assertThat(stage.send(REQUEST).allowed()).isFalse();
    stage.advanceMicros(1);
    assertThat(stage.allowed(REQUEST, 5)).isEqualTo(2);
  }

  @Test
  default void a_log_counts_every_grant_of_one_instant() {
    Stage stage = stage(tree(caller(slidingLog("5/s"))));
    assertThat(stage.allowed(REQUEST, 20)).isEqualTo(5);
  }

  @Test
  default void a_long_log_holds_all_its_entries() {
    int most = many(100_000);
    Stage stage = stage(tree(caller(slidingLog(most + "/min"))));
    int allowed = 0;
    for (int i = 0; i < most + 10; i++) {
      allowed += stage.send(REQUEST).allowed() ? 1 : 0;
      if (i % 1_000 == 0) {
        stage.advanceMillis(1);
      }
    }
    assertThat(allowed).isEqualTo(most);
    stage.advance(Duration.ofMinutes(1));
    assertThat(stage.remaining(REQUEST)).isEqualTo(most);
  }

  @Test
  default void B16_a_client_that_keeps_trying_gets_in_again() {
    Stage stage = stage(tree(caller(slidingLog("10/600s"))));
    List<Integer> allowedAtSeconds = new ArrayList<>();
    for (int second = 0; second < 1_200; second += 30) {
      Decision decision = stage.send(REQUEST);
      if (decision.allowed()) {
        allowedAtSeconds.add(second);
      }
      stage.advanceMillis(30_000);
    }
    assertThat(allowedAtSeconds)
        .containsExactly(
            0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 600, 630, 660, 690, 720, 750, 780, 810,
            840, 870);
  }
}
