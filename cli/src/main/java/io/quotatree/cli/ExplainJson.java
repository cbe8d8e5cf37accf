package io.quotatree.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.quotatree.quotafile.Explanation;
import java.io.IOException;
import java.io.PrintWriter;

/** The report of {@code quotatree explain} for programs. */
final class ExplainJson {

  private ExplainJson() {}

  static void print(Explanation explanation, PrintWriter out) throws IOException {
    try (JsonGenerator json = Json.generator(out)) {
      Json.value(explanation.asMap(), json);
    }
    out.println();
  }
}
