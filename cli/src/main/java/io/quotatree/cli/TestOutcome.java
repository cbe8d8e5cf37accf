package io.quotatree.cli;

import io.quotatree.core.time.Ticker;
import io.quotatree.quotafile.yaml.Problem;
import io.quotatree.scenario.ScenarioReading;
import io.quotatree.scenario.ScenarioResult;
import io.quotatree.scenario.ScenarioRunner;
import java.time.Duration;
import java.util.List;

/**
 * What came of one scenario file.
 *
 * @param file the file
 * @param name the scenario's name; the file's where it could not be read
 * @param errors what is wrong with the file; none where it could be run
 * @param failed the steps that failed; none where it could not be run
 * @param took how long running it took
 */
record TestOutcome(
    String file,
    String name,
    List<Problem> errors,
    List<ScenarioResult.FailedStep> failed,
    Duration took) {

  static TestOutcome of(ScenarioReading reading, ScenarioRunner runner) {
    if (reading instanceof ScenarioReading.Sound sound) {
      long startNanos = Ticker.system().monotonicNanos();
      ScenarioResult result = runner.run(sound.scenario());
      return new TestOutcome(
          sound.file(),
          sound.scenario().name(),
          List.of(),
          result.failed(),
          Duration.ofNanos(Ticker.system().monotonicNanos() - startNanos));
    }
    List<Problem> errors =
        reading instanceof ScenarioReading.Faulty faulty ? faulty.errors() : List.of();
    return new TestOutcome(reading.file(), reading.file(), errors, List.of(), Duration.ZERO);
  }

  boolean passed() {
    return errors.isEmpty() && failed.isEmpty();
  }
}
