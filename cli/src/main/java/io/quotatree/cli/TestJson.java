package io.quotatree.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.quotatree.quotafile.yaml.Problem;
import io.quotatree.scenario.Expectation;
import io.quotatree.scenario.ScenarioResult.FailedStep;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;

/** The report of {@code quotatree test} for programs. */
final class TestJson {

  private TestJson() {}

  static void print(List<TestOutcome> outcomes, PrintWriter out) throws IOException {
    try (JsonGenerator json = Json.generator(out)) {
      long passed = outcomes.stream().filter(TestOutcome::passed).count();
      json.writeStartObject();
      json.writeNumberField("passed", passed);
      json.writeNumberField("failed", outcomes.size() - passed);
      json.writeArrayFieldStart("scenarios");
      for (TestOutcome outcome : outcomes) {
        scenario(outcome, json);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    out.println();
  }

  private static void scenario(TestOutcome outcome, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("file", outcome.file());
    json.writeStringField("name", outcome.name());
    json.writeBooleanField("passed", outcome.passed());
    json.writeArrayFieldStart("errors");
    for (Problem error : outcome.errors()) {
      Json.problem(error, json);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("failed_steps");
    for (FailedStep step : outcome.failed()) {
      json.writeStartObject();
      json.writeNumberField("step", step.step().heading().number());
      json.writeNumberField("line", step.step().heading().line());
      json.writeNumberField("at_ms", step.step().heading().at().toMillis());
      json.writeStringField("does", step.step().summary());
      json.writeArrayFieldStart("unmet");
      for (Expectation.Unmet unmet : step.unmet()) {
        json.writeStartObject();
        json.writeStringField("key", unmet.expectation().aspect().word());
        json.writeStringField("expected", unmet.expectation().written());
        json.writeStringField("came", unmet.came());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
