package io.quotatree.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client of HTTP/2 that sends exactly the frames that a test writes. */
final class RawHttp2 implements AutoCloseable {

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  private static final int PRIORITY = 0x20;
  private static final int PRIORITY_BYTES = 5;
  private static final int READ_MILLIS = 20_000;
  private static final int SMALL_BUFFER_BYTES = 4096;
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private final Socket socket = new Socket();
  private final DataInputStream in;
  private final DefaultHttp2HeadersDecoder fields = new DefaultHttp2HeadersDecoder(false);

  private RawHttp2(int port) throws IOException {
    // Little room, so that whoever does not read is soon noticed.
    socket.setReceiveBufferSize(SMALL_BUFFER_BYTES);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.setSoTimeout(READ_MILLIS);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  /** Connects and greets, with no settings of its own. */
  static RawHttp2 connect(int port) {
    try {
      RawHttp2 client = new RawHttp2(port);
      client.socket.getOutputStream().write(PREFACE.getBytes(ISO_8859_1));
      return client.send(SETTINGS, 0, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A frame that came. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares frames
  record Frame(int type, int flags, int stream, byte[] payload) {}

  /** What became of a stream: its status and body, or 0 and the code that it was reset with. */
  record Outcome(int status, String body, List<String> names, long reset) {}

  static byte[] frame(int type, int flags, int stream, byte... payload) {
    ByteBuf bytes = Unpooled.buffer();
    bytes.writeMedium(payload.length).writeByte(type).writeByte(flags).writeInt(stream);
    bytes.writeBytes(payload);
    return Unpooled.copiedBuffer(bytes).array();
  }

  RawHttp2 send(int type, int flags, int stream, byte... payload) {
    try {
      write(frame(type, flags, stream, payload));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes bytes; fails when the other side has gone. */
  void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** Begins a stream with the given fields, names and values in turn. */
  RawHttp2 headers(int stream, int flags, String... namesAndValues) {
    return send(HEADERS, flags | END_HEADERS, stream, block(namesAndValues));
  }

  RawHttp2 get(int stream, String path, String... namesAndValues) {
    return headers(stream, END_STREAM, request("GET", path, namesAndValues));
  }

  static String[] request(String method, String path, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                ":method", method, ":scheme", "http", ":authority", "shop.example", ":path", path));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  RawHttp2 data(int stream, int flags, String text) {
    return send(DATA, flags, stream, text.getBytes(ISO_8859_1));
  }

  RawHttp2 reset(int stream) {
    return send(RST_STREAM, 0, stream, (byte) 0, (byte) 0, (byte) 0, (byte) 8);
  }

  /** Fields in HPACK, each as a literal that is not kept. */
  static byte[] block(String... namesAndValues) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      block.write(0);
      text(namesAndValues[i], block);
      text(namesAndValues[i + 1], block);
    }
    return block.toByteArray();
  }

  private static void text(String text, ByteArrayOutputStream block) {
    int length = text.length();
    if (length < 0x7f) {
      block.write(length);
    } else {
      block.write(0x7f);
      for (length -= 0x7f; length >= 0x80; length >>= 7) {
        block.write((length & 0x7f) | 0x80);
      }
      block.write(length);
    }
    block.writeBytes(text.getBytes(ISO_8859_1));
  }

  /** The next frame; null when the connection has ended. */
  @Nullable Frame next() {
    try {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      return new Frame(type, flags, stream, in.readNBytes(length));
    } catch (SocketTimeoutException e) {
      throw new UncheckedIOException(e);
    } catch (IOException e) {
      return null;
    }
  }

  /** Reads on until a frame of the type comes; null when the connection has ended before. */
  @Nullable Frame awaits(int type) {
    Frame frame = next();
    while (frame != null && frame.type() != type) {
      frame = next();
    }
    return frame;
  }

  /** Reads on until the stream has ended. */
  Outcome outcome(int stream) {
    Outcome outcome = outcomeIfAny(stream);
    if (outcome == null) {
      throw new AssertionError("the connection ended before stream " + stream);
    }
    return outcome;
  }

  /** Reads on until the stream has ended; null when the connection has ended before. */
  @Nullable Outcome outcomeIfAny(int stream) {
    StringBuilder body = new StringBuilder();
    List<String> names = new ArrayList<>();
    int status = 0;
    for (Frame frame = next(); frame != null; frame = next()) {
      if (frame.type() == HEADERS) {
        List<String> decoded = new ArrayList<>();
        int found = decode(frame, decoded);
        if (frame.stream() == stream) {
          status = found == 0 ? status : found;
          names.addAll(decoded);
        }
      }
      if (frame.stream() == stream) {
        if (frame.type() == DATA) {
          body.append(new String(frame.payload(), ISO_8859_1));
        }
        if (frame.type() == RST_STREAM) {
          return new Outcome(status, body.toString(), names, code(frame, 0));
        }
        if (frame.type() <= HEADERS && (frame.flags() & END_STREAM) != 0) {
          return new Outcome(status, body.toString(), names, 0);
        }
      }
    }
    return null;
  }

  static long code(@Nullable Frame frame, int at) {
    return Unpooled.wrappedBuffer(requireNonNull(frame, "the connection ended").payload())
        .getUnsignedInt(at);
  }

  private int decode(Frame frame, List<String> names) {
    try {
      ByteBuf block = Unpooled.wrappedBuffer(frame.payload());
      block.skipBytes((frame.flags() & PRIORITY) == 0 ? 0 : PRIORITY_BYTES);
      var headers = fields.decodeHeaders(frame.stream(), block);
      headers.forEach(field -> names.add(field.getKey().toString()));
      CharSequence status = headers.status();
      return status == null ? 0 : Integer.parseInt(status.toString());
    } catch (Http2Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Goes away as a process does that is killed. */
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
