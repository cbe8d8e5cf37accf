package io.quotatree.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.vertx.core.buffer.Buffer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** A client that sends exactly the bytes that a test writes, and reads answers as they come. */
final class RawHttp implements AutoCloseable {

  private static final int READ_MILLIS = 20_000;
  private static final int SHORT_MILLIS = 500;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  private RawHttp(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
  }

  static RawHttp connect(int port) {
    try {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(READ_MILLIS);
      socket.setTcpNoDelay(true);
      return new RawHttp(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An answer's status, fields (names in lower case) and body. */
  record Reply(int status, TreeMap<String, List<String>> fields, Buffer content) {

    String field(String name) {
      List<String> values = fields.get(name.toLowerCase(Locale.ROOT));
      return values == null ? "" : String.join(", ", values);
    }

    boolean has(String name) {
      return fields.containsKey(name.toLowerCase(Locale.ROOT));
    }

    String body() {
      return content.toString();
    }
  }

  RawHttp send(String text) {
    return send(text.getBytes(ISO_8859_1));
  }

  RawHttp send(byte[] bytes) {
    try {
      out.write(bytes);
      out.flush();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends bytes to somebody who may be gone by now. */
  void trySend(byte[] bytes) {
    try {
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      // It has heard enough.
    }
  }

  /** Whether the other side takes some more bytes. */
  boolean stillTakes(String text) {
    try {
      out.write(text.getBytes(ISO_8859_1));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Sends a request without a body, with further header lines, and reads its answer. */
  Reply ask(String method, String target, String... lines) {
    sendHead(method, target, lines);
    return method.equals("HEAD") ? head() : reply();
  }

  RawHttp sendHead(String method, String target, String... lines) {
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: shop.example\r\n");
    for (String line : lines) {
      head.append(line).append("\r\n");
    }
    return send(head.append("\r\n").toString());
  }

  /** Reads one answer, its body included. */
  Reply reply() {
    Reply head = head();
    try {
      return new Reply(head.status(), head.fields(), Buffer.buffer(body(head)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads one answer that has no body, or whose body the test reads itself. */
  Reply head() {
    try {
      String status = line();
      if (!status.startsWith("HTTP/1.")) {
        throw new IOException("no status line: `" + status + "`");
      }
      TreeMap<String, List<String>> fields = new TreeMap<>();
      for (String line = line(); !line.isEmpty(); line = line()) {
        int colon = line.indexOf(':');
        fields
            .computeIfAbsent(
                line.substring(0, colon).toLowerCase(Locale.ROOT), n -> new ArrayList<>())
            .add(line.substring(colon + 1).strip());
      }
      return new Reply(Integer.parseInt(status.substring(9, 12)), fields, Buffer.buffer());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] body(Reply head) throws IOException {
    if (head.status() < 200 || head.status() == 204 || head.status() == 304) {
      return new byte[0];
    }
    if (head.has("content-length")) {
      return exactly(Integer.parseInt(head.field("content-length")));
    }
    return head.has("transfer-encoding") ? chunks() : in.readAllBytes();
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int size = chunkSize(); size > 0; size = chunkSize()) {
      body.write(exactly(size));
      line();
    }
    while (!line().isEmpty()) {
      // A trailer.
    }
    return body.toByteArray();
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  byte[] exactly(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new IOException("cut off after " + bytes.length + " of " + count + " bytes");
    }
    return bytes;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the connection ended after `" + line + "`");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  /** Whether the other side has ended the connection; waits until it has or something comes. */
  boolean ended() {
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** Whether something has come; waits a little for it. */
  boolean available() {
    try {
      socket.setSoTimeout(SHORT_MILLIS);
      in.mark(1);
      boolean any = in.read() >= 0;
      in.reset();
      return any;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      patience(READ_MILLIS);
    }
  }

  private void patience(int millis) {
    try {
      socket.setSoTimeout(millis);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the other side ends the connection, whatever it sends before. */
  boolean endsAtLast() {
    try {
      in.readAllBytes();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** Goes away as a process does that is killed in the middle: the other side gets a reset. */
  void vanish() {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
