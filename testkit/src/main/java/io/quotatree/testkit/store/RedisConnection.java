package io.quotatree.testkit.store;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plain connection to a Redis server, for tests to plant and to look. Bytes are told as
 * ISO-8859-1. Not for use by several threads.
 */
public final class RedisConnection implements AutoCloseable {

  private final Socket socket;
  private final InputStream in;

  RedisConnection(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException("no connection to port " + port, e);
    }
  }

  /**
   * Sends a command and waits for its reply.
   *
   * @return text, a whole number, a list, or null for nothing
   * @throws IllegalStateException if the reply is an error
   */
  public @Nullable Object ask(String... words) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
      for (String word : words) {
        byte[] bytes = word.getBytes(StandardCharsets.ISO_8859_1);
        out.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        out.writeBytes(bytes);
        out.writeBytes(new byte[] {'\r', '\n'});
      }
      socket.getOutputStream().write(out.toByteArray());
      return reply();
    } catch (IOException e) {
      throw new UncheckedIOException("no reply to " + words[0], e);
    }
  }

  /** Sends a command whose reply is a list. */
  public List<?> list(String... words) {
    return ask(words) instanceof List<?> list ? list : List.of();
  }

  private @Nullable Object reply() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case ':' -> Long.valueOf(rest);
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> list(Integer.parseInt(rest));
      default -> throw new IllegalStateException(rest);
    };
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    int b;
    while ((b = in.read()) != '\r') {
      if (b < 0) {
        throw new EOFException("the server closed the connection");
      }
      line.append((char) b);
    }
    in.skipNBytes(1);
    return line.toString();
  }

  private @Nullable String bulk(int bytes) throws IOException {
    if (bytes < 0) {
      return null;
    }
    String text = new String(in.readNBytes(bytes), StandardCharsets.ISO_8859_1);
    in.skipNBytes(2);
    return text;
  }

  private List<@Nullable Object> list(int size) throws IOException {
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      list.add(reply());
    }
    return list;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close", e);
    }
  }
}
