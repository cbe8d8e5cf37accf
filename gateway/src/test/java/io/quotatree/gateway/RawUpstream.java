package io.quotatree.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A service that behaves as badly as a test wants: each connection is the test's to treat. */
final class RawUpstream implements AutoCloseable {

  private final ServerSocket server;

  /** What happens on one connection; it is closed when this returns. */
  @FunctionalInterface
  interface Conversation {
    void hold(Connection connection) throws IOException, InterruptedException;
  }

  /** A connection from the gateway. */
  record Connection(Socket socket, BufferedReader in) {

    /** Reads a request's head; answers whether there was one. */
    boolean readHead() throws IOException {
      String line = in.readLine();
      boolean any = line != null;
      while (line != null && !line.isEmpty()) {
        line = in.readLine();
      }
      return any;
    }

    void write(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
    }
  }

  RawUpstream(Conversation conversation) {
    try {
      server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(
        () -> {
          while (!server.isClosed()) {
            Socket socket = server.accept();
            daemon(() -> treat(conversation, socket));
          }
        });
  }

  private static void treat(Conversation conversation, Socket socket) throws IOException {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      conversation.hold(new Connection(socket, in));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void daemon(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // The gateway or the test has closed it: that is how these end.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return server.getLocalPort();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
