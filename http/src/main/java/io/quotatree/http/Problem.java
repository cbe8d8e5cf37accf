package io.quotatree.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers of an error as problem documents (RFC 9457), all in the shape of a refusal's: {@code
 * type}, {@code title}, {@code status}, {@code code} (the status again) and {@code message}, which
 * is for people.
 */
public final class Problem {

  static final String QUOTA_EXCEEDED =
      "https://iana.org/assignments/http-problem-types#quota-exceeded";

  private static final int MAX_MESSAGE_CHARS = 1_000;
  private static final JsonFactory JSON = new JsonFactory();
  private static final HeaderField CONTENT_TYPE =
      new HeaderField("Content-Type", "application/problem+json");

  private Problem() {}

  /**
   * 400: the request could be read in two ways, or asks for what nobody may ask for.
   *
   * @param reason what is wrong with it and what to send instead
   */
  public static Answer badRequest(String reason) {
    return plain(400, "Bad Request", reason, List.of());
  }

  /** 404: no route takes this path. */
  public static Answer notFound(String reason) {
    return plain(404, "Not Found", reason, List.of());
  }

  /** 502: no target of the upstream gave an answer that could be understood. */
  public static Answer badGateway(String reason) {
    return plain(502, "Bad Gateway", reason, List.of());
  }

  /** 503: nobody can say whether there is quota; try again in a second. */
  public static Answer unavailable(String reason) {
    return plain(503, "Service Unavailable", reason, List.of(new HeaderField("Retry-After", "1")));
  }

  /** 504: the upstream did not answer in time. */
  public static Answer gatewayTimeout(String reason) {
    return plain(504, "Gateway Timeout", reason, List.of());
  }

  private static Answer plain(int status, String title, String message, List<HeaderField> more) {
    return of(status, more, "about:blank", title, message, json -> {});
  }

  static Answer of(
      int status,
      List<HeaderField> fields,
      String type,
      String title,
      String message,
      Members more) {
    List<HeaderField> all = new ArrayList<>(fields);
    all.add(CONTENT_TYPE);
    StringWriter body = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(body)) {
      json.writeStartObject();
      json.writeStringField("type", type);
      json.writeStringField("title", title);
      json.writeNumberField("status", status);
      json.writeNumberField("code", status);
      json.writeStringField("message", cut(message));
      more.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a problem document, written to memory", e);
    }
    return new Answer(status, all, body.toString());
  }

  /** Reasons may quote a request, and a request may be long. */
  private static String cut(String message) {
    if (message.length() <= MAX_MESSAGE_CHARS) {
      return message;
    }
    int end = MAX_MESSAGE_CHARS;
    if (Character.isHighSurrogate(message.charAt(end - 1))) {
      end--;
    }
    return message.substring(0, end) + "…";
  }

  /** What a document says besides. */
  @FunctionalInterface
  interface Members {
    void write(JsonGenerator json) throws IOException;
  }
}
