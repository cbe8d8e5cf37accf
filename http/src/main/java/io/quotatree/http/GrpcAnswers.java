package io.quotatree.http;

import io.quotatree.core.limit.Wait;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's own answers to gRPC calls: HTTP 200 with a status of gRPC's among the fields and no
 * body ("trailers only"). A gRPC client takes an HTTP 429 for UNAVAILABLE, and many try that again
 * at once.
 */
public final class GrpcAnswers {

  private static final String GRPC = "application/grpc";
  private static final String WEB = "application/grpc-web";
  private static final String WEB_TEXT = "application/grpc-web-text";

  private static final int INVALID_ARGUMENT = 3;
  private static final int PERMISSION_DENIED = 7;
  private static final int RESOURCE_EXHAUSTED = 8;
  private static final int UNIMPLEMENTED = 12;
  private static final int INTERNAL = 13;
  private static final int UNAVAILABLE = 14;
  private static final int UNAUTHENTICATED = 16;

  /** Tells a client not to try again by itself. */
  private static final String NEVER = "-1";

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private GrpcAnswers() {}

  /** Whether a request of this content type is a gRPC call, gRPC-Web among them. */
  public static boolean isCall(@Nullable String contentType) {
    if (contentType == null || !contentType.regionMatches(true, 0, GRPC, 0, GRPC.length())) {
      return false;
    }
    return contentType.length() == GRPC.length()
        || "+;- ".indexOf(contentType.charAt(GRPC.length())) >= 0;
  }

  /**
   * A problem in gRPC's words.
   *
   * @param contentType that of the call
   * @param httpStatus what another client would be told
   * @param message what is wrong, fit for the client
   */
  public static Answer problem(String contentType, int httpStatus, String message) {
    return answer(contentType, status(httpStatus), message, List.of());
  }

  /** A refusal: RESOURCE_EXHAUSTED, and when to try again. */
  static Answer refused(
      String contentType, String message, List<HeaderField> fields, Wait pushback) {
    List<HeaderField> all = new ArrayList<>(fields);
    // Rounded up: a client that obeys must not come early.
    String millis = pushback.never() ? NEVER : Long.toString(pushback.millis());
    all.add(new HeaderField("grpc-retry-pushback-ms", millis));
    return answer(contentType, RESOURCE_EXHAUSTED, message, all);
  }

  private static Answer answer(
      String contentType, int status, String message, List<HeaderField> more) {
    List<HeaderField> fields = new ArrayList<>(more);
    fields.add(new HeaderField("Content-Type", answered(contentType)));
    fields.add(new HeaderField("grpc-status", Integer.toString(status)));
    fields.add(new HeaderField("grpc-message", encoded(Problem.cut(message))));
    return new Answer(200, fields, "");
  }

  private static String answered(String contentType) {
    for (String type : List.of(WEB_TEXT, WEB)) {
      if (contentType.regionMatches(true, 0, type, 0, type.length())) {
        return type;
      }
    }
    return GRPC;
  }

  private static int status(int httpStatus) {
    return switch (httpStatus) {
      case 400, 413, 414, 417, 431 -> INVALID_ARGUMENT;
      case 401 -> UNAUTHENTICATED;
      case 403 -> PERMISSION_DENIED;
      case 404, 405 -> UNIMPLEMENTED;
      case 429 -> RESOURCE_EXHAUSTED;
      case 408, 502, 503, 504 -> UNAVAILABLE;
      default -> INTERNAL;
    };
  }

  /** Octets outside visible ASCII, and the percent sign, as %XX (gRPC over HTTP/2). */
  private static String encoded(String message) {
    StringBuilder text = new StringBuilder(message.length());
    for (byte octet : message.getBytes(StandardCharsets.UTF_8)) {
      if (octet >= ' ' && octet <= '~' && octet != '%') {
        text.append((char) octet);
      } else {
        text.append('%').append(HEX.toHexDigits(octet));
      }
    }
    return text.toString();
  }
}
