package io.quotatree.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;

/** How the raw clients of tests leave. */
final class Sockets {

  private Sockets() {}

  /** Goes away as a process does that is killed in the middle: the other side gets a reset. */
  static void vanish(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    close(socket);
  }

  static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
