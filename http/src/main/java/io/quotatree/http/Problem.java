package io.quotatree.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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

  /** Titles of a document without a type of its own are the statuses' own phrases (RFC 9457). */
  private static final Map<Integer, String> TITLES =
      Map.ofEntries(
          Map.entry(400, "Bad Request"),
          Map.entry(401, "Unauthorized"),
          Map.entry(403, "Forbidden"),
          Map.entry(404, "Not Found"),
          Map.entry(405, "Method Not Allowed"),
          Map.entry(408, "Request Timeout"),
          Map.entry(409, "Conflict"),
          Map.entry(412, "Precondition Failed"),
          Map.entry(413, "Content Too Large"),
          Map.entry(414, "URI Too Long"),
          Map.entry(415, "Unsupported Media Type"),
          Map.entry(417, "Expectation Failed"),
          Map.entry(421, "Misdirected Request"),
          Map.entry(422, "Unprocessable Content"),
          Map.entry(426, "Upgrade Required"),
          Map.entry(431, "Request Header Fields Too Large"),
          Map.entry(500, "Internal Server Error"),
          Map.entry(501, "Not Implemented"),
          Map.entry(502, "Bad Gateway"),
          Map.entry(503, "Service Unavailable"),
          Map.entry(504, "Gateway Timeout"),
          Map.entry(505, "HTTP Version Not Supported"));

  private Problem() {}

  /**
   * A problem of any status.
   *
   * @param message what is wrong and what to do instead, fit for the client; cut where it is long
   * @param more header fields besides {@code Content-Type}
   */
  public static Answer of(int status, String message, HeaderField... more) {
    String title = TITLES.getOrDefault(status, "Error");
    return document(status, List.of(more), "about:blank", title, message, json -> {});
  }

  /**
   * A problem that is several: each error is a member of {@code errors}.
   *
   * @param message what they come to
   */
  public static Answer listing(int status, String message, List<String> errors) {
    return document(
        status,
        List.of(),
        "about:blank",
        TITLES.getOrDefault(status, "Error"),
        message,
        json -> {
          json.writeArrayFieldStart("errors");
          for (String error : errors) {
            json.writeString(error);
          }
          json.writeEndArray();
        });
  }

  /** 400: the request could be read in two ways, or asks for what nobody may ask for. */
  public static Answer badRequest(String message) {
    return of(400, message);
  }

  /** 404: no route takes this path. */
  public static Answer notFound(String message) {
    return of(404, message);
  }

  /** 502: no target of the upstream gave an answer that could be understood. */
  public static Answer badGateway(String message) {
    return of(502, message);
  }

  /** 503: nobody can say whether there is quota; try again in a second. */
  public static Answer unavailable(String message) {
    return of(503, message, new HeaderField("Retry-After", "1"));
  }

  /** 504: the upstream did not answer in time. */
  public static Answer gatewayTimeout(String message) {
    return of(504, message);
  }

  static Answer document(
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
  static String cut(String message) {
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
