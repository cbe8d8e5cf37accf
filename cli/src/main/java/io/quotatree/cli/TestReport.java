package io.quotatree.cli;

import io.quotatree.scenario.Expectation;
import io.quotatree.scenario.ScenarioResult.FailedStep;
import java.io.PrintWriter;
import java.util.List;

/** The report of {@code quotatree test} for people. */
final class TestReport {

  private TestReport() {}

  static void print(TestOutcome outcome, PrintWriter out) {
    String name = outcome.name().equals(outcome.file()) ? "" : ": " + outcome.name();
    out.println((outcome.passed() ? "ok    " : "FAIL  ") + outcome.file() + name);
    outcome.errors().forEach(error -> out.println("      " + error));
    for (FailedStep step : outcome.failed()) {
      out.println("      " + place(outcome, step) + ": " + step.title());
      for (Expectation.Unmet unmet : step.unmet()) {
        out.println("        " + unmet.text());
      }
    }
  }

  static void printEnd(List<TestOutcome> outcomes, PrintWriter out) {
    long passed = outcomes.stream().filter(TestOutcome::passed).count();
    out.println(passed + " passed, " + (outcomes.size() - passed) + " failed");
  }

  static String place(TestOutcome outcome, FailedStep step) {
    return outcome.file() + ":" + step.step().heading().line();
  }
}
