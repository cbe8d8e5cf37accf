package io.quotatree.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.Request;
import io.quotatree.quotafile.yaml.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScenarioReaderTest {

  private static final Path MISTAKES = Path.of("src/test/resources/mistakes");
  private static final String MARK = "#! ";

  @TempDir private Path folder;

  static List<String> mistakes() throws IOException {
    try (Stream<Path> files = Files.list(MISTAKES)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Each fixture ends with all the errors that it must give. */
  @ParameterizedTest
  @MethodSource("mistakes")
  void every_mistake_is_told_with_its_place(String fixture) throws IOException {
    Path file = MISTAKES.resolve(fixture);
    List<String> expected =
        Files.readAllLines(file).stream()
            .filter(line -> line.startsWith(MARK))
            .map(line -> line.substring(MARK.length()).replace("FOLDER", MISTAKES.toString()))
            .map(line -> file + ":" + line)
            .toList();
    assertThat(expected).isNotEmpty();
    assertThat(problems(file)).containsExactlyElementsOf(expected);
  }

  @Test
  void errors_of_a_quota_file_are_told_with_its_own_name() throws IOException {
    Path quotas = write("quotas.yaml", "quotas: { calller: { default: 10/min } }");
    Path scenario = write("s.yaml", "file: quotas.yaml\nsteps:\n  - send: { api: GET /x }\n");
    assertThat(problems(scenario))
        .containsExactly(quotas + ":1:11: unknown key `calller`; write `caller`");
  }

  @Test
  void a_quota_file_is_found_from_the_scenarios_own_folder() throws IOException {
    write("quotas.yaml", "quotas: { caller: { default: 10/min } }");
    Files.createDirectory(folder.resolve("deep"));
    Path scenario =
        write("deep/s.yaml", "file: ../quotas.yaml\nsteps:\n  - send: { api: GET /x }\n");
    assertThat(sound(scenario).quotas().caller().byDefault()).isNotNull();
  }

  @Test
  void what_is_not_said_has_its_default() throws IOException {
    Scenario scenario = sound(minimal("send: { api: GET /x }"));
    assertThat(scenario.name()).isEqualTo("s.yaml");
    assertThat(scenario.start()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    Step.Send send = (Step.Send) scenario.steps().get(0);
    assertThat(send.heading()).isEqualTo(new Step.Heading(1, 3, Duration.ZERO));
    assertThat(send.request()).isEqualTo(Request.of("", "", "GET", "/x"));
    assertThat(send.times()).isEqualTo(1);
    assertThat(send.instance()).isEqualTo("a");
    assertThat(send.permits()).isEqualTo(Step.Permits.GIVEN_BACK);
    assertThat(send.expected()).isEmpty();
  }

  @Test
  void all_that_a_request_may_say_is_read() throws IOException {
    Scenario scenario =
        sound(
            minimal(
                "send: { caller: a, user: 0, unproven: true, plan: vip, api: 'HEAD /x;v=1?q#f',"
                    + " cost: 5, attributes: { ip: '2001:db8::1', session: s }, times: 1k,"
                    + " every: 10ms, id: job, hold: true, instance: b }"));
    Step.Send send = (Step.Send) scenario.steps().get(0);
    assertThat(send.request())
        .isEqualTo(
            new Request(
                "a", "0", Request.Proof.UNPROVEN, "vip", "HEAD", "/x;v=1", 5L, "2001:db8::1", "s"));
    assertThat(send.times()).isEqualTo(1000);
    assertThat(send.lasts()).isEqualTo(Duration.ofMillis(9990));
    assertThat(send.instance()).isEqualTo("b");
    assertThat(send.permits().held()).isEqualTo(Step.Held.UNTIL_RELEASED);
    assertThat(send.permits().id()).contains("job");
  }

  @Test
  void a_step_without_a_time_follows_the_one_above() throws IOException {
    Scenario scenario =
        sound(
            write(
                "s.yaml",
                """
                quotas: { caller: { default: 10/min } }
                steps:
                  - at: 10s
                    send: { api: GET /x, times: 3, every: 500ms }
                  - clock: -3s
                  - at: 11s
                    reload: { user: { default: 5/s } }
                """));
    assertThat(scenario.steps())
        .extracting(step -> step.heading().at())
        .containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(11), Duration.ofSeconds(11));
    assertThat(((Step.Clock) scenario.steps().get(1)).step()).isEqualTo(Duration.ofSeconds(-3));
  }

  @Test
  void a_start_may_be_written_in_any_zone() throws IOException {
    Path file =
        write(
            "s.yaml",
            """
            quotas: { caller: { default: 10/min } }
            start: 2026-03-01T08:00:00+08:00
            steps:
              - send: { api: GET /x }
            """);
    assertThat(sound(file).start()).isEqualTo(Instant.parse("2026-03-01T00:00:00Z"));
  }

  @Test
  void a_file_without_steps_is_no_scenario() throws IOException {
    assertThat(ScenarioReader.read(write("q.yaml", "quotas: {}")))
        .isInstanceOf(ScenarioReading.Other.class);
    assertThat(ScenarioReader.read(write("e.yaml", ""))).isInstanceOf(ScenarioReading.Other.class);
    assertThat(ScenarioReader.read(write("l.yaml", "- steps: 1")))
        .isInstanceOf(ScenarioReading.Other.class);
    assertThat(ScenarioReader.read(write("b.yaml", "a: {")))
        .isInstanceOf(ScenarioReading.Other.class);
  }

  private static List<String> problems(Path file) throws IOException {
    ScenarioReading reading = ScenarioReader.read(file);
    assertThat(reading).isInstanceOf(ScenarioReading.Faulty.class);
    return ((ScenarioReading.Faulty) reading).errors().stream().map(Problem::toString).toList();
  }

  private static Scenario sound(Path file) throws IOException {
    ScenarioReading reading = ScenarioReader.read(file);
    assertThat(reading).isInstanceOf(ScenarioReading.Sound.class);
    return ((ScenarioReading.Sound) reading).scenario();
  }

  private Path minimal(String step) throws IOException {
    return write("s.yaml", "quotas: { caller: { default: 10/min } }\nsteps:\n  - " + step + "\n");
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
