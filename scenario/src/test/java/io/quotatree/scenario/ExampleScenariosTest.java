package io.quotatree.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.scenario.ScenarioResult.FailedStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scenarios that users are shown hold, and so do those of field reports. */
class ExampleScenariosTest {

  private static final Path EXAMPLES = Path.of("../examples/scenarios");
  private static final Path ACCEPTED = Path.of("src/test/resources/accept");

  static List<Path> scenarios() throws IOException {
    return Stream.concat(yaml(EXAMPLES).stream(), yaml(ACCEPTED).stream()).toList();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void holds(Path file) throws IOException {
    ScenarioReading reading = ScenarioReader.read(file);
    assertThat(reading).isInstanceOf(ScenarioReading.Sound.class);
    ScenarioResult result =
        new ScenarioRunner(MemoryLedger::new).run(((ScenarioReading.Sound) reading).scenario());
    assertThat(result.failed()).as(text(result)).isEmpty();
  }

  @Test
  void the_index_names_each_example_with_what_it_shows() throws IOException {
    String index = Files.readString(EXAMPLES.resolve("README.md"));
    List<Path> files = yaml(EXAMPLES);
    assertThat(files).hasSizeGreaterThanOrEqualTo(55);
    for (Path file : files) {
      ScenarioReading.Sound sound = (ScenarioReading.Sound) ScenarioReader.read(file);
      Path place = EXAMPLES.relativize(file);
      assertThat(index)
          .contains("- [" + place + "](" + place + "): " + sound.scenario().name() + "\n");
    }
  }

  private static String text(ScenarioResult result) {
    StringBuilder text = new StringBuilder();
    for (FailedStep step : result.failed()) {
      text.append(step.title());
      step.unmet().forEach(unmet -> text.append("\n  ").append(unmet.text()));
      text.append('\n');
    }
    return text.toString();
  }

  private static List<Path> yaml(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }
}
