package io.quotatree.quotafile;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.ManualTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that users of other limiters met in their configuration, each under its case's name. */
class FieldFaultsTest {

  @TempDir private Path folder;

  private final ManualTicker ticker = new ManualTicker(Instant.parse("2026-01-01T00:00:00Z"));

  /** A limiter whose file is watched: what is written is in force at once, unless it is wrong. */
  private final class Running {
    private final Path path = folder.resolve("quotatree.yaml");
    private final List<Reload> told = new ArrayList<>();
    private final Limiter limiter;
    private final WatchedFile watched;

    Running(String text) throws IOException {
      Files.writeString(path, text);
      QuotaFile file = ((Reading.Sound) QuotaFiles.read(path)).file();
      limiter = new Limiter(Policy.compile(file.quotas(), "gw"), new MemoryLedger(), ticker);
      watched = new WatchedFile(path, file, this::take);
    }

    private void take(Reload reload) {
      told.add(reload);
      if (reload instanceof Reload.Taken taken) {
        limiter.use(Policy.compile(taken.file().quotas(), "gw"));
      }
    }

    void write(String text) throws IOException {
      Files.writeString(path, text);
      watched.look();
      watched.look();
    }

    Decision send() {
      Decision decision = new Decision();
      limiter.decide(Request.of("app-a", "u1", "GET", "/x"), decision);
      return decision;
    }

    int allowed(int times) {
      int allowed = 0;
      for (int i = 0; i < times; i++) {
        allowed += send().allowed() ? 1 : 0;
      }
      return allowed;
    }
  }

  private static String fixed(String limit) {
    return "quotas: { caller: { default: { limit: "
        + limit
        + ", algorithm: fixed_window, stagger: false } } }";
  }

  private static String bucket(String limit, int burst) {
    return "quotas: { caller: { default: { limit: " + limit + ", burst: " + burst + " } } }";
  }

  private static LimitState told(Decision decision) {
    return decision.told().orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(AlgorithmName.class)
  void B12_a_limit_of_0_is_an_error_that_names_blocked(AlgorithmName algorithm) {
    assertThat(
            Trees.errors(
                "quotas: { caller: { default: { limit: 0/min, algorithm: "
                    + algorithm.word()
                    + " } } }"))
        .containsExactly("test.yaml:1:39: `0/min` grants nothing; write `blocked`");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0/s", "00/s", "0_0/s", "0k/s", "0/365day"})
  void B12_every_way_to_write_0_is_an_error_that_names_blocked(String limit) {
    assertThat(
            Trees.errors(
                "quotas: { defaults: { period: s }, node: [\""
                    + limit
                    + "\"], api: { levels: { S: \""
                    + limit
                    + "\" }, default: \""
                    + limit
                    + "\" } }"))
        .hasSize(3)
        .allSatisfy(
            error -> assertThat(error).endsWith("`" + limit + "` grants nothing; write `blocked`"));
  }

  @Test
  void B12_blocked_refuses_for_ever_and_unlimited_is_another_word() throws IOException {
    Running running = new Running("quotas: { caller: { default: blocked } }");
    for (Duration later : List.of(Duration.ofMillis(1), Duration.ofSeconds(60), Duration.ZERO)) {
      Decision decision = running.send();
      assertThat(decision.allowed()).isFalse();
      assertThat(told(decision).remainingPermits()).isZero();
      assertThat(decision.retryAfter().never()).isTrue();
      ticker.advance(later);
    }
    running.write("quotas: { caller: { default: unlimited } }");
    assertThat(running.allowed(1000)).isEqualTo(1000);
  }

  @Test
  void B66_reloads_that_change_something_else_keep_the_usage() throws IOException {
    String counted = "    a: { limit: 10/min, algorithm: fixed_window, stagger: false }\n";
    Running running =
        new Running("quotas:\n  caller:\n   overrides:\n" + counted.replace("a:", "app-a:"));
    int allowed = 0;
    for (int second = 0; second < 60; second++) {
      for (int tenth = 0; tenth < 10; tenth++) {
        allowed += running.allowed(1);
        ticker.advance(Duration.ofMillis(100));
      }
      String line = counted.replace("a:", "app-a:");
      String other = "    other: " + (second + 1) + "/s\n";
      running.write(
          "# "
              + second
              + "\nquotas:\n  caller:\n   overrides:\n"
              + (second % 2 == 0 ? line + other : other + line));
    }
    assertThat(running.told).hasSize(60);
    assertThat(allowed).isEqualTo(10);
  }

  @Test
  void B67a_a_lowered_limit_holds_for_the_very_next_request() throws IOException {
    Running running = new Running(fixed("100/min"));
    assertThat(running.allowed(95)).isEqualTo(95);
    running.write(fixed("10/min"));
    Decision decision = running.send();
    assertThat(decision.allowed()).isFalse();
    assertThat(told(decision).remainingPermits()).isZero();
  }

  @Test
  void B67b_a_raised_limit_leaves_what_was_not_used() throws IOException {
    Running running = new Running(fixed("10/min"));
    assertThat(running.allowed(20)).isEqualTo(10);
    running.write(fixed("100/min"));
    assertThat(running.allowed(200)).isEqualTo(90);
  }

  @Test
  void B67c_another_period_starts_anew() throws IOException {
    Running running = new Running(fixed("10/h"));
    assertThat(running.allowed(20)).isEqualTo(10);
    running.write(fixed("10/min"));
    assertThat(running.allowed(20)).isEqualTo(10);
    ticker.advance(Duration.ofMinutes(1));
    assertThat(running.allowed(20)).isEqualTo(10);
  }

  @Test
  void B67d_a_new_rate_is_not_applied_to_the_past() throws IOException {
    Running running = new Running(bucket("1/s", 100));
    assertThat(running.allowed(200)).isEqualTo(100);
    ticker.advance(Duration.ofSeconds(50));
    running.write(bucket("10/s", 100));
    assertThat(running.allowed(200)).isEqualTo(50);
  }

  @Test
  void B67e_after_30_then_0_then_150_it_is_150_that_is_in_force() throws IOException {
    Running running = new Running(fixed("30/min"));
    running.write(fixed("0/min"));
    assertThat(running.told).last().isInstanceOf(Reload.Refused.class);
    assertThat(running.allowed(40)).isEqualTo(30);
    running.write(fixed("150/min"));
    assertThat(running.allowed(200)).isEqualTo(120);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "duplicate-key",
        "duplicate-caller",
        "duplicate-through-merge-key",
        "duplicate-through-two-merge-keys",
        "duplicate-api-in-another-spelling",
        "duplicate-api-in-names",
        "duplicate-api-of-a-caller",
        "duplicate-match-in-a-group",
        "route-twice",
        "source-twice"
      })
  void B68_what_appears_twice_names_both_places_and_changes_nothing(String mistake)
      throws IOException {
    Running running = new Running(fixed("10/min"));
    running.write(Files.readString(Path.of("src/test/resources/errors", mistake + ".yaml")));
    assertThat(running.told).hasSize(1);
    assertThat(((Reload.Refused) running.told.get(0)).errors())
        .isNotEmpty()
        .allSatisfy(
            error -> {
              assertThat(error.text()).containsPattern("(?:at|of) [0-9]+:[0-9]+");
              assertThat(error.toString()).startsWith(running.path + ":" + error.line() + ":");
            });
    assertThat(running.allowed(20)).isEqualTo(10);
  }
}
