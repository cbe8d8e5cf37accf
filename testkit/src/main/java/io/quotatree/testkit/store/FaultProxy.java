package io.quotatree.testkit.store;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A network between a program and a server on this machine, which loses what a test wants lost.
 *
 * <p>Bytes pass until something else is said; what is lost is lost for ever, as if it had been
 * acknowledged by a machine that then died. Safe for use by several threads.
 */
public final class FaultProxy implements AutoCloseable {

  /** What becomes of bytes. */
  public enum Way {
    /** They arrive. */
    PASS,
    /** None arrive, in either direction, and connections stay. */
    BLACK_HOLE,
    /** What the program sends arrives, and nothing comes back. */
    LOSE_REPLIES,
    /** What is published on channels does not arrive; all else does. */
    LOSE_MESSAGES
  }

  private final ServerSocket listening;
  private final int port;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /** Written by the test, read by the pumps for each piece. */
  private volatile Way way = Way.PASS;

  private FaultProxy(int port) throws IOException {
    this.port = port;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start("proxy-accept", this::accept);
  }

  /** A network before a server on this port. */
  public static FaultProxy before(int port) {
    try {
      return new FaultProxy(port);
    } catch (IOException e) {
      throw new UncheckedIOException("no port for a proxy", e);
    }
  }

  /** The address of a Redis server behind it. */
  public String uri() {
    return "redis://127.0.0.1:" + listening.getLocalPort();
  }

  /** Says what becomes of bytes from now on. */
  public void use(Way changed) {
    way = changed;
  }

  /** Ends all connections; new ones are taken. */
  public void cut() {
    sockets.forEach(FaultProxy::close);
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket program = listening.accept();
        sockets.add(program);
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(server);
        start("proxy-there", () -> pump(program, server, Way.LOSE_REPLIES));
        start("proxy-back", () -> pump(server, program, Way.PASS));
      } catch (IOException e) {
        // The server is away, or the proxy was closed: the program finds its connection ended.
        cut();
      }
    }
  }

  /** Passes pieces on, in the way that lets all pass and in one more. */
  private void pump(Socket from, Socket to, Way passing) {
    byte[] piece = new byte[64 * 1024];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int length;
      while ((length = in.read(piece)) >= 0) {
        Way now = way;
        boolean passes =
            now == Way.LOSE_MESSAGES
                ? !isMessage(piece, length)
                : now == Way.PASS || now == passing;
        if (passes) {
          out.write(piece, 0, length);
          out.flush();
        }
      }
    } catch (IOException e) {
      // Cut, or an end hung up: so does the other.
      close(to);
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  /** A connection that listens is given nothing else, but when it begins. */
  private static boolean isMessage(byte[] piece, int length) {
    String text = new String(piece, 0, length, StandardCharsets.ISO_8859_1);
    return text.startsWith(">3\r\n$7\r\nmessage") || text.startsWith("*3\r\n$7\r\nmessage");
  }

  private static void close(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    close(listening);
    cut();
  }
}
