package io.quotatree.testkit.store;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A Redis server of a test's own: the machine's {@code redis-server}, else the binary inside the
 * embedded-redis artifact, which the module under test has to have on its test path.
 *
 * <p>It keeps nothing on disk. Not for use by several threads.
 */
public final class RedisServer implements AutoCloseable {

  private static final int TRIES = 5;
  private static final int HIGHEST_PORT = 55_000;

  private final List<String> options;
  private final Path folder;
  private final int port;
  private int tlsPort;
  private Process process;

  private RedisServer(List<String> options) throws IOException {
    this.options = options;
    this.folder = Files.createTempDirectory("quotatree-redis");
    this.port = freePort();
    this.process = launched();
  }

  /**
   * Starts a server on a free port, and returns when it takes commands.
   *
   * @param options further options of {@code redis-server}, such as {@code --maxmemory 1mb}
   */
  public static RedisServer start(String... options) {
    IOException last = new IOException("not tried");
    for (int i = 0; i < TRIES; i++) {
      try {
        return new RedisServer(List.of(options));
      } catch (IOException e) {
        // Somebody else took the port.
        last = e;
      }
    }
    throw new UncheckedIOException("no redis-server came up", last);
  }

  /**
   * Starts a server that also speaks TLS, on another port.
   *
   * @param certificate in PEM
   * @param key in PEM
   * @param options further ones, such as {@code --tls-auth-clients no}
   */
  public static RedisServer startByTls(Path certificate, Path key, String... options) {
    int tlsPort;
    try {
      tlsPort = freePort();
    } catch (IOException e) {
      throw new UncheckedIOException("no port for TLS", e);
    }
    List<String> all = new ArrayList<>(List.of("--tls-port", "" + tlsPort));
    all.addAll(List.of("--tls-cert-file", "" + certificate, "--tls-key-file", "" + key));
    all.addAll(List.of(options));
    RedisServer server = start(all.toArray(String[]::new));
    server.tlsPort = tlsPort;
    return server;
  }

  /** The port by TLS; 0 where it does not speak it. */
  public int tlsPort() {
    return tlsPort;
  }

  /** A node of a cluster listens 10,000 ports above its own too. */
  static int freePort() throws IOException {
    for (int i = 0; i < 20 * TRIES; i++) {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        if (socket.getLocalPort() <= HIGHEST_PORT) {
          return socket.getLocalPort();
        }
      }
    }
    throw new IOException("no free port up to " + HIGHEST_PORT);
  }

  private Process launched() throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--port", "" + port, "--bind", "127.0.0.1", "--save", ""));
    arguments.addAll(List.of("--appendonly", "no", "--dir", folder.toString()));
    arguments.addAll(options);
    return launched(arguments, "Ready to accept connections");
  }

  /** A process of redis-server, once it has said that it is ready. */
  static Process launched(List<String> arguments, String ready) throws IOException {
    List<String> command = new ArrayList<>(List.of(binary().toString()));
    command.addAll(arguments);
    Process started = new ProcessBuilder(command).redirectErrorStream(true).start();
    Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
    BufferedReader out =
        new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    String line;
    while ((line = out.readLine()) != null) {
      said.append(line).append('\n');
      if (line.contains(ready)) {
        drain(out);
        return started;
      }
    }
    throw new IOException("redis-server ended:\n" + said);
  }

  /** A full pipe would stop the server. */
  private static void drain(BufferedReader out) {
    Thread reader = new Thread(() -> out.lines().forEach(line -> {}), "redis-output");
    reader.setDaemon(true);
    reader.setUncaughtExceptionHandler((thread, end) -> {});
    reader.start();
  }

  private static Path binary() throws IOException {
    String path = System.getenv("PATH");
    for (String folder : (path == null ? "" : path).split(File.pathSeparator, -1)) {
      Path found = Path.of(folder, "redis-server");
      if (Files.isExecutable(found)) {
        return found;
      }
    }
    return unpacked();
  }

  private static synchronized Path unpacked() throws IOException {
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    boolean mac = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
    boolean arm = arch.contains("aarch64") || arch.contains("arm64");
    String name =
        mac
            ? "redis-server-6.2.6-v5-darwin-" + (arm ? "arm64" : "amd64")
            : arm ? "redis-server-6.2.7-linux-arm64" : "redis-server-6.2.6-v5-linux-amd64";
    Path file = Path.of(System.getProperty("java.io.tmpdir"), "quotatree-" + name);
    if (!Files.isExecutable(file)) {
      try (InputStream in = RedisServer.class.getResourceAsStream("/" + name)) {
        if (in == null) {
          throw new IOException(
              name + " is not on the test path: install redis-server, or add embedded-redis");
        }
        Path part = Files.createTempFile("quotatree-", name);
        Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
        if (!part.toFile().setExecutable(true)) {
          throw new IOException(part + " cannot be made executable");
        }
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      }
    }
    return file;
  }

  /** The port that it listens on, also after it was started again. */
  public int port() {
    return port;
  }

  /** Its address. */
  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  /** Kills it at once (SIGKILL); all that it held is lost. */
  public void kill() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts it again after it was killed. */
  public void restart() {
    try {
      process = launched();
    } catch (IOException e) {
      throw new UncheckedIOException("redis-server did not come back on port " + port, e);
    }
  }

  /** Stops it where it stands (SIGSTOP): connections stay, nothing is answered. */
  public void freeze() {
    signal("-STOP");
  }

  /** Lets it go on. */
  public void thaw() {
    signal("-CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", name, "" + process.pid()).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("kill " + name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A connection of the test's own. */
  public RedisConnection connection() {
    return new RedisConnection(port);
  }

  /** All keys, however many. */
  public List<String> keys() {
    return keys(key -> true);
  }

  /** Keys that would stay for ever: what every test of a store ends with looking for. */
  public List<String> keysWithoutEnd() {
    try (RedisConnection connection = connection()) {
      return keys(key -> Long.valueOf(-1).equals(connection.ask("PTTL", key)));
    }
  }

  private List<String> keys(Predicate<String> some) {
    try (RedisConnection connection = connection()) {
      return connection.list("KEYS", "*").stream().map(String::valueOf).filter(some).toList();
    }
  }

  @Override
  public void close() {
    kill();
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot clean up " + folder, e);
    }
  }
}
