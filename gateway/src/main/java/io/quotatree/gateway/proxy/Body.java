package io.quotatree.gateway.proxy;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;

/** What the head of a request says of its body. */
enum Body {
  /** There is none. */
  NONE,
  /** One of a stated length. */
  SIZED,
  /** One that ends when its last chunk or frame says so. */
  CHUNKED,
  /** Over HTTP/2, without a stated length: only what follows tells whether there is one. */
  UNTOLD;

  /**
   * Reads the framing of a request.
   *
   * @throws BadRequestException for a transfer coding that others might read differently
   */
  static Body of(HttpServerRequest request) {
    MultiMap headers = request.headers();
    if (request.version() == HttpVersion.HTTP_2) {
      boolean told = headers.contains("Content-Length");
      return told ? (lengthBytes(headers) > 0 ? SIZED : NONE) : UNTOLD;
    }
    List<String> codings = headers.getAll("Transfer-Encoding");
    if (!codings.isEmpty()) {
      boolean chunked = codings.size() == 1 && codings.get(0).strip().equalsIgnoreCase("chunked");
      if (!chunked || request.version() == HttpVersion.HTTP_1_0) {
        throw new BadRequestException(
            "the request's Transfer-Encoding is not understood; send `chunked` over HTTP/1.1 alone");
      }
      return CHUNKED;
    }
    return lengthBytes(headers) > 0 ? SIZED : NONE;
  }

  /**
   * The stated length; 0 for none. What is no length is refused before, and here longer than any.
   */
  static long lengthBytes(MultiMap headers) {
    String length = headers.get("Content-Length");
    if (length == null) {
      return 0;
    }
    try {
      return Long.parseLong(length.strip());
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }
}
