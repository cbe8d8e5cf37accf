package io.quotatree.gateway.server;

import io.quotatree.http.Answer;
import java.nio.charset.StandardCharsets;

/** Answers as bytes, for connections that the server can or may not answer on by itself. */
final class RawAnswer {

  private RawAnswer() {}

  /** The last answer of a connection over HTTP/1.1. */
  static byte[] of(String statusLine, Answer answer) {
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder("HTTP/1.1 ").append(statusLine).append("\r\n");
    answer
        .fields()
        .forEach(f -> head.append(f.name()).append(": ").append(f.value()).append("\r\n"));
    head.append("Content-Length: ").append(body.length).append("\r\nConnection: close\r\n\r\n");
    byte[] start = head.toString().getBytes(StandardCharsets.ISO_8859_1);
    byte[] whole = new byte[start.length + body.length];
    System.arraycopy(start, 0, whole, 0, start.length);
    System.arraycopy(body, 0, whole, start.length, body.length);
    return whole;
  }
}
