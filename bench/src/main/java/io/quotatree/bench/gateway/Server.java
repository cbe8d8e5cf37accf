package io.quotatree.bench.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A process that listens on a port, and what CPU time it has used. */
final class Server implements AutoCloseable {

  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Linux tells CPU time in hundredths of a second, on all machines that matter. */
  private static final double SECONDS_PER_TICK = 0.01;

  /** Fields of /proc/PID/stat after the name, which may hold spaces. */
  private static final int USER_TICKS = 11;

  private static final int SYSTEM_TICKS = 12;

  private final Process process;
  private final int port;

  private Server(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts a process; when this returns it takes connections. */
  static Server start(ProcessBuilder builder, int port, Path log) {
    try {
      Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
      long begin = System.nanoTime();
      while (!listens(port)) {
        if (!process.isAlive() || System.nanoTime() - begin > PATIENCE_NANOS) {
          process.destroy();
          throw new IllegalStateException(
              String.join(" ", builder.command()) + " does not listen: " + Files.readString(log));
        }
        LockSupport.parkNanos(LOOK_AGAIN_NANOS);
      }
      return new Server(process, port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return port;
  }

  /** CPU seconds that it and its children have used so far, in the kernel too. */
  double cpuSeconds() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .mapToDouble(one -> cpuSeconds(one.pid()))
        .sum();
  }

  private static double cpuSeconds(long pid) {
    try {
      return read(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
    } catch (IOException e) {
      throw new UncheckedIOException("CPU times are read from /proc, which Linux alone has", e);
    }
  }

  static double read(String stat) {
    List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
    return SECONDS_PER_TICK
        * (Long.parseLong(fields.get(USER_TICKS)) + Long.parseLong(fields.get(SYSTEM_TICKS)));
  }

  @Override
  public void close() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    children.forEach(ProcessHandle::destroy);
    process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
    process.destroyForcibly();
  }
}
