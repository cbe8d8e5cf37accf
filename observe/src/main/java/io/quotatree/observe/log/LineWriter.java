package io.quotatree.observe.log;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes lines as JSON. For one thread. */
final class LineWriter {

  /** Names are bounded where requests are read; this bounds the rest. */
  private static final int MOST_CHARS = 512;

  private static final JsonFactory JSON = new JsonFactory();

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private final String nodeId;
  private final UserHash hash = new UserHash();

  LineWriter(String nodeId) {
    this.nodeId = nodeId;
  }

  /** Appends a line, its end included. */
  void write(LogLine.Answered answered, ByteArrayOutputStream out) {
    // The generator closes what it writes to, which does nothing to an array.
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      fields(answered, json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new IllegalStateException("a line, written to memory", e);
    }
    out.write('\n');
  }

  private void fields(LogLine.Answered answered, JsonGenerator json) throws IOException {
    LogLine line = answered.line();
    boolean named = line.users == LogSettings.Users.NAMED;
    json.writeStringField(
        "ts", TIME.format(Instant.EPOCH.plus(line.seen.wallMicros(), ChronoUnit.MICROS)));
    json.writeStringField("node_id", clean(nodeId));
    json.writeStringField("outcome", line.outcome);
    json.writeStringField(
        "final_hit_layer", line.finalLayer == null ? null : line.finalLayer.word());
    json.writeArrayFieldStart("hit_layers");
    for (Layer layer : line.hitLayers) {
      json.writeString(layer.word());
    }
    json.writeEndArray();
    json.writeStringField("caller_id", line.caller);
    json.writeStringField("user_id", named ? line.user : hash.of(line.caller, line.user));
    json.writeStringField("api_path", clean(named ? line.path() : line.api));
    limit(line.limit, json);
    json.writeNumberField("cost", line.costPermits);
    number("retry_after_ms", line.retryAfterMillis, json);
    json.writeStringField("sure", line.sure);
    json.writeNumberField("status", answered.status());
    json.writeStringField("request_id", clean(line.seen.requestId()));
  }

  private static void limit(@Nullable LimitState limit, JsonGenerator json) throws IOException {
    number("limit_value", limit == null ? null : (Long) limit.limitPermits(), json);
    number("current_value", limit == null ? null : (Long) limit.usedPermits(), json);
    json.writeStringField("limit", limit == null ? null : limit.text());
    json.writeStringField("algorithm", limit == null ? null : limit.algorithm());
  }

  private static void number(String name, @Nullable Long value, JsonGenerator json)
      throws IOException {
    if (value == null) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, value);
    }
  }

  /** A text of bounded length, without halves of characters, which JSON writers refuse. */
  private static String clean(String text) {
    String cut = text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS - 1) + "…";
    return new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
