package io.quotatree.scenario;

import java.util.List;
import java.util.Objects;

/**
 * What came of a scenario.
 *
 * @param scenario the scenario
 * @param failed the steps that got something else than was expected; none where it passed
 */
public record ScenarioResult(Scenario scenario, List<FailedStep> failed) {

  /** Copies the list. */
  public ScenarioResult {
    Objects.requireNonNull(scenario, "scenario");
    failed = List.copyOf(failed);
  }

  /** Whether every step got what was expected. */
  public boolean passed() {
    return failed.isEmpty();
  }

  /**
   * A step that got something else.
   *
   * @param step the step
   * @param unmet what was expected and did not come, at least one
   */
  public record FailedStep(Step step, List<Expectation.Unmet> unmet) {
    /** Copies the list. */
    public FailedStep {
      unmet = List.copyOf(unmet);
    }

    /** Which step, when and what: {@code step 3 at 1s (send GET /x of app-a/u1)}. */
    public String title() {
      return step.heading() + " (" + step.summary() + ")";
    }
  }
}
