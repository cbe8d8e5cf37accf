package io.quotatree.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.quotatree.quotafile.Explanation;
import io.quotatree.quotafile.Explanation.Asked;
import io.quotatree.quotafile.Explanation.Counted;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** The report of {@code quotatree explain} for programs. */
final class ExplainJson {

  private ExplainJson() {}

  static void print(Explanation explanation, PrintWriter out) throws IOException {
    try (JsonGenerator json = Json.generator(out)) {
      json.writeStartObject();
      json.writeStringField("file", explanation.file());
      json.writeStringField("method", explanation.method());
      json.writeStringField("path", explanation.path());
      json.writeStringField("caller", explanation.caller());
      json.writeStringField("user", explanation.user());
      json.writeStringField("plan", explanation.plan());
      json.writeFieldName("route");
      route(explanation.route(), json);
      json.writeStringField("api", explanation.api());
      json.writeNumberField("cost", explanation.cost());
      json.writeArrayFieldStart("quotas");
      for (Asked asked : explanation.quotas()) {
        quota(asked, json);
      }
      json.writeEndArray();
      json.writeFieldName("notes");
      Json.value(explanation.notes(), json);
      json.writeEndObject();
    }
    out.println();
  }

  private static void route(Explanation.@Nullable Taken route, JsonGenerator json)
      throws IOException {
    if (route == null) {
      json.writeNull();
      return;
    }
    json.writeStartObject();
    json.writeStringField("match", route.match());
    json.writeStringField("upstream", route.upstream());
    json.writeNumberField("line", route.line());
    json.writeEndObject();
  }

  private static void quota(Asked asked, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("turn", asked.turn());
    json.writeStringField("layer", asked.layer());
    json.writeStringField("subject", asked.subject());
    json.writeStringField("allowance", asked.allowance());
    json.writeArrayFieldStart("limits");
    for (Counted counted : asked.limits()) {
      json.writeStartObject();
      json.writeStringField("limit", counted.limit());
      json.writeStringField("algorithm", counted.algorithm());
      json.writeStringField("details", counted.details());
      json.writeNumberField("permits", counted.permits());
      json.writeNumberField("capacity", counted.capacity());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeStringField("accounting", asked.accounting());
    json.writeStringField("enforcement", asked.enforcement());
    json.writeStringField("place", asked.place());
    json.writeNumberField("line", asked.line());
    json.writeNumberField("column", asked.column());
    json.writeEndObject();
  }
}
