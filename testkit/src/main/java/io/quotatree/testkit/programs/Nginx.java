package io.quotatree.testkit.programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A real nginx on a free port, in one process, with all its files in a folder of the test. */
public final class Nginx implements AutoCloseable {

  /** What a configuration has in place of the port. */
  public static final String PORT = "${port}";

  private static final int PORTS_TO_TRY = 5;
  private static final int LOOKS = 6_000;
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Process process;
  private final int port;

  private Nginx(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts one.
   *
   * @param folder an empty one; relative paths of the configuration begin here
   * @param http what stands in its {@code http} block, with {@link #PORT} for the port
   */
  public static Nginx start(Path folder, String http) {
    try {
      for (int i = 0; i < PORTS_TO_TRY; i++) {
        Nginx nginx = begin(folder, http);
        if (nginx.listens(folder)) {
          return nginx;
        }
      }
      throw new AssertionError("nginx finds no free port: " + log(folder));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Nginx begin(Path folder, String http) throws IOException {
    int port = freePort();
    Files.deleteIfExists(folder.resolve("nginx.pid"));
    Files.writeString(
        folder.resolve("nginx.conf"),
        """
        daemon off;
        master_process off;
        pid nginx.pid;
        error_log stderr warn;
        events { worker_connections 1024; }
        http {
          access_log off;
          default_type text/plain;
          client_body_temp_path client_bodies;
          proxy_temp_path proxied;
          fastcgi_temp_path fastcgi;
          uwsgi_temp_path uwsgi;
          scgi_temp_path scgi;
        %s
        }
        """
            .formatted(http.replace(PORT, Integer.toString(port))));
    Process process =
        DebianProgram.NGINX
            .command("-p", folder.toString(), "-c", "nginx.conf", "-e", "stderr")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("nginx.log").toFile())
            .start();
    return new Nginx(process, port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Waits for its pid file, which it writes once it listens; false if somebody has its port. */
  private boolean listens(Path folder) throws IOException {
    Path written = folder.resolve("nginx.pid");
    for (int i = 0; i < LOOKS && process.isAlive(); i++) {
      if (Files.exists(written) && Files.size(written) > 0) {
        return true;
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
    close();
    String log = log(folder);
    if (log.contains("Address already in use")) {
      return false;
    }
    throw new AssertionError("nginx does not start: " + log);
  }

  private static String log(Path folder) throws IOException {
    return Files.readString(folder.resolve("nginx.log"));
  }

  /** Where it listens on 127.0.0.1. */
  public int port() {
    return port;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
