package io.quotatree.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.quotatree.quotafile.yaml.Problem;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the JSON of several commands has in common. */
final class Json {

  private Json() {}

  /** Writes indented JSON; closing it leaves the writer open. */
  static JsonGenerator generator(PrintWriter out) throws IOException {
    return new JsonFactory()
        .createGenerator(out)
        .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
        .setPrettyPrinter(new DefaultPrettyPrinter());
  }

  static void problem(Problem problem, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("severity", problem.severity().name().toLowerCase(Locale.ROOT));
    json.writeStringField("file", problem.file());
    json.writeNumberField("line", problem.line());
    json.writeNumberField("column", problem.column());
    json.writeStringField("message", problem.text());
    json.writeEndObject();
  }

  /** Writes maps, lists, texts, numbers and flags. */
  static void value(@Nullable Object value, JsonGenerator json) throws IOException {
    if (value instanceof Map<?, ?> map) {
      json.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        json.writeFieldName(String.valueOf(entry.getKey()));
        value(entry.getValue(), json);
      }
      json.writeEndObject();
    } else if (value instanceof Iterable<?> list) {
      json.writeStartArray();
      for (Object item : list) {
        value(item, json);
      }
      json.writeEndArray();
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else if (value instanceof Number number) {
      json.writeNumber(number.longValue());
    } else if (value == null) {
      json.writeNull();
    } else {
      json.writeString(value.toString());
    }
  }
}
