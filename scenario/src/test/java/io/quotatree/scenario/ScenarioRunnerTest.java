package io.quotatree.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.scenario.ScenarioResult.FailedStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioRunnerTest {

  private static final String BUCKET = "quotas: { user: { default: { limit: 10/s, burst: 20 } } }";
  private static final String BURST =
      "  - send: { caller: app-a, user: u1, api: GET /x, times: 25 }\n    expect: ";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "allowed: 21,         'allowed: expected 21, came 20'",
    "refused: 4,          'refused: expected 4, came 5'",
    "would_refuse: 1,     'would_refuse: expected 1, came 0'",
    "layer: node,         'layer: expected node, came user'",
    "subject: app-a/u2,   'subject: expected app-a/u2, came app-a/u1'",
    "limit: 20,           'limit: expected 20, came 10'",
    "used: 19,            'used: expected 19, came 20'",
    "remaining: 1,        'remaining: expected 1, came 0'",
    "retry_after: 99ms,   'retry_after: expected 99ms, came 100ms'",
    "retry_after: never,  'retry_after: expected never, came 100ms'",
    "reset: 2001ms,       'reset: expected 2001ms, came 2s'",
    "wait: 1s,            'wait: expected 1s, came no request that waited'",
    "sure: leased,        'sure: expected leased, came exact'",
  })
  void a_wrong_expectation_fails_and_says_what_came(String expect, String text) throws IOException {
    ScenarioResult result = run(BUCKET + "\nsteps:\n" + BURST + "{ " + expect + " }\n");
    assertThat(result.passed()).isFalse();
    FailedStep step = result.failed().get(0);
    assertThat(step.title()).isEqualTo("step 1 at 0s (send GET /x of app-a/u1, 25 times)");
    assertThat(step.step().heading().line()).isEqualTo(3);
    assertThat(step.unmet()).extracting(Expectation.Unmet::text).containsExactly(text);
  }

  @Test
  void right_expectations_pass_in_any_spelling() throws IOException {
    ScenarioResult result =
        run(
            BUCKET
                + "\nsteps:\n"
                + BURST
                + "{ allowed: 20, refused: 5, would_refuse: 0, layer: user, subject: app-a/u1,"
                + " limit: 10, used: 2_0, remaining: 0, retry_after: 100ms, reset: 2000ms,"
                + " sure: exact }\n");
    assertThat(result.failed()).isEmpty();
  }

  @Test
  void a_step_that_fails_does_not_hide_the_next_one() throws IOException {
    ScenarioResult result =
        run(BUCKET + "\nsteps:\n" + BURST + "{ allowed: 1 }\n" + BURST + "{ allowed: 2 }\n");
    assertThat(result.failed()).hasSize(2);
    assertThat(texts(result.failed().get(1))).containsExactly("allowed: expected 2, came 0");
  }

  @Test
  void the_last_refusal_is_told_even_where_an_allowed_request_came_after_it() throws IOException {
    ScenarioResult result =
        run(
            """
            quotas: { user: { default: { limit: 10/s, algorithm: leaky_bucket } } }
            steps:
              - send: { caller: app-a, user: u1, api: GET /x, times: 4, every: 50ms }
                expect: { allowed: 2, refused: 2, retry_after: 1s }
              - at: 1s
                send: { caller: app-a, user: u1, api: GET /x, times: 3, every: 50ms }
                expect: { allowed: 2, refused: 1, retry_after: 1s }
            """);
    assertThat(result.failed())
        .flatExtracting(ScenarioRunnerTest::texts)
        .containsExactly(
            "retry_after: expected 1s, came 50ms", "retry_after: expected 1s, came 50ms");
  }

  @Test
  void without_any_limit_there_is_none_to_tell_of() throws IOException {
    ScenarioResult result =
        run(
            """
            quotas: { caller: { default: unlimited } }
            steps:
              - send: { caller: app-a, api: GET /x }
                expect: { layer: caller, limit: 1, retry_after: 1s }
            """);
    assertThat(texts(result.failed().get(0)))
        .containsExactly(
            "layer: expected caller, came no limit to tell of",
            "limit: expected 1, came no limit to tell of",
            "retry_after: expected 1s, came 0ms");
  }

  @Test
  void progress_adds_up_to_all_requests() throws IOException {
    AtomicLong told = new AtomicLong();
    Scenario scenario =
        read(
            BUCKET
                + "\nsteps:\n"
                + "  - send: { caller: a, user: u, api: GET /x, times: 200000 }\n"
                + "  - send: { caller: a, user: u, api: GET /x, times: 65536 }\n"
                + "  - send: { caller: a, user: u, api: GET /x }\n");
    new ScenarioRunner(MemoryLedger::new, told::addAndGet).run(scenario);
    assertThat(told).hasValue(265537);
  }

  private static List<String> texts(FailedStep step) {
    return step.unmet().stream().map(Expectation.Unmet::text).toList();
  }

  private ScenarioResult run(String yaml) throws IOException {
    return new ScenarioRunner(MemoryLedger::new).run(read(yaml));
  }

  private Scenario read(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("s.yaml"), yaml);
    ScenarioReading reading = ScenarioReader.read(file);
    assertThat(reading).isInstanceOf(ScenarioReading.Sound.class);
    return ((ScenarioReading.Sound) reading).scenario();
  }
}
