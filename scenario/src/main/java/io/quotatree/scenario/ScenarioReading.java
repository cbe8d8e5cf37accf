package io.quotatree.scenario;

import io.quotatree.quotafile.yaml.Problem;
import java.util.List;

/** What reading a file that may be a scenario gave. */
public sealed interface ScenarioReading {

  /** The file, as its reader was told. */
  String file();

  /**
   * A scenario that can be run.
   *
   * @param scenario the scenario
   */
  record Sound(Scenario scenario) implements ScenarioReading {
    @Override
    public String file() {
      return scenario.file();
    }
  }

  /**
   * A scenario with mistakes.
   *
   * @param errors all of them, at least one
   */
  record Faulty(String file, List<Problem> errors) implements ScenarioReading {
    /** Copies the list. */
    public Faulty {
      errors = List.copyOf(errors);
    }
  }

  /** A file without a top-level {@code steps}: no scenario. */
  record Other(String file) implements ScenarioReading {}
}
