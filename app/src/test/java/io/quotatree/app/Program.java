package io.quotatree.app;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The program in a process of its own, as users run it. */
final class Program implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 120;

  /** Bits of the first two signals. */
  private static final long HUP_AND_INT = 0b11;

  private static final String END = "\u0000";

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<String> seen = new ArrayList<>();

  private Program(Process process) {
    this.process = process;
    follow(process.getInputStream());
  }

  /** Starts it; with {@code -Dquotatree.jar=FILE} that jar, else the classes under test. */
  static Program start(String... arguments) {
    return startIn(Path.of("").toAbsolutePath(), arguments);
  }

  /** Starts it in a folder, from which it finds what relative paths name. */
  static Program startIn(Path folder, String... arguments) {
    List<String> command = new ArrayList<>(heedingSignals());
    command.add(System.getProperty("java.home") + "/bin/java");
    // Many short lives: the second compiler never pays.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    String jar = System.getProperty("quotatree.jar");
    if (jar == null) {
      command.addAll(List.of("-cp", classesAlone(), Main.class.getName()));
    } else {
      command.addAll(List.of("-jar", Path.of(jar).toAbsolutePath().toString()));
    }
    command.addAll(List.of(arguments));
    try {
      return new Program(
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What a command begins with so that it takes signals. A build in the background of a script, or
   * under nohup, ignores some, and so does whoever it starts: the JVM does not take back what was
   * ignored when it began.
   */
  private static List<String> heedingSignals() {
    try {
      Path status = Path.of("/proc/self/status");
      boolean ignored =
          Files.exists(status)
              && Files.readAllLines(status).stream()
                  .filter(line -> line.startsWith("SigIgn:"))
                  .mapToLong(line -> Long.parseUnsignedLong(line.split("\\s+", -1)[1], 16))
                  .anyMatch(mask -> (mask & HUP_AND_INT) != 0);
      return ignored ? List.of("env", "--default-signal=HUP,INT") : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The class path without the tests, whose log has a configuration of its own. */
  private static String classesAlone() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.endsWith("test-classes"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private void follow(InputStream output) {
    Thread thread =
        new Thread(
            () -> {
              try (BufferedReader reader =
                  new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
                reader.lines().forEach(lines::add);
              } catch (IOException | UncheckedIOException e) {
                // It was killed.
              }
              lines.add(END);
            });
    thread.setDaemon(true);
    thread.start();
  }

  /** Waits for a line that the pattern is found in. */
  Matcher says(String pattern) {
    Pattern wanted = Pattern.compile(pattern);
    while (true) {
      String line = next();
      if (line.equals(END)) {
        throw new AssertionError("never said `" + pattern + "`, but:\n" + String.join("\n", seen));
      }
      Matcher matcher = wanted.matcher(line);
      if (matcher.find()) {
        return matcher;
      }
    }
  }

  private String next() {
    try {
      String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (line == null) {
        throw new AssertionError("says nothing more after:\n" + String.join("\n", seen));
      }
      seen.add(line);
      return line;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits for its end, and answers its exit code. */
  int exitCode() {
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("does not end; it said:\n" + String.join("\n", seen));
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** All that it said; after its end. */
  String output() {
    while (seen.isEmpty() || !seen.get(seen.size() - 1).equals(END)) {
      next();
    }
    return String.join("\n", seen.subList(0, seen.size() - 1));
  }

  /** SIGTERM; not by {@code destroy}, which closes the output too. */
  void terminate() {
    signal("TERM");
  }

  /** Any signal by its name, through the shell's own command. */
  void signal(String name) {
    try {
      int code =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
      if (code != 0) {
        throw new AssertionError("kill -" + name + " ended with " + code);
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
