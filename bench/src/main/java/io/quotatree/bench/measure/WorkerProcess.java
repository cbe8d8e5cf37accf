package io.quotatree.bench.measure;

import io.quotatree.bench.worker.Worker;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process with one contender in it, that does as it is told and else stands still. */
public final class WorkerProcess implements AutoCloseable {

  private static final List<String> JVM_OPTIONS =
      List.of(
          "-Xmx6g",
          "-XX:+UseG1GC",
          // Sentinel writes figures every second, also while it should stand still.
          "-Dcsp.sentinel.metric.flush.interval=0",
          "-Dcsp.sentinel.log.output.type=console");

  private final Entrant entrant;
  private final Process process;
  private final BufferedReader answers;
  private final PrintStream commands;

  private WorkerProcess(Entrant entrant, Process process) {
    this.entrant = entrant;
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  /** Starts a process; it makes itself ready by itself. */
  public static WorkerProcess start(Entrant entrant, Effort effort) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM_OPTIONS);
    command.addAll(List.of("-cp", classPath(entrant), Worker.class.getName()));
    command.addAll(
        List.of(
            entrant.contender(),
            entrant.job().word(),
            Long.toString(effort.seed()),
            Integer.toString(effort.requests())));
    try {
      // What libraries print would drown the progress; exceptions end the process and are told.
      return new WorkerProcess(
          entrant,
          new ProcessBuilder(command)
              .redirectError(new File(System.getProperty("java.io.tmpdir"), log(entrant)))
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException("a worker did not start: " + command, e);
    }
  }

  private static String log(Entrant entrant) {
    return "quotatree-bench-" + entrant.contender() + "-" + entrant.job().word() + ".log";
  }

  /** Classes of another core go before this build's. */
  private static String classPath(Entrant entrant) {
    String own = System.getProperty("java.class.path");
    return entrant.core().map(core -> core + File.pathSeparator + own).orElse(own);
  }

  /** Waits until everything is prepared. */
  public void awaitReady() {
    answer();
  }

  /** Tells the worker what to do, and waits for its answer. */
  public Answer ask(String command) {
    commands.println(command);
    return answer();
  }

  private Answer answer() {
    try {
      String line = answers.readLine();
      while (line != null && !line.startsWith(Worker.ANSWER)) {
        line = answers.readLine();
      }
      if (line == null) {
        throw new IllegalStateException(
            "the worker of "
                + entrant.contender()
                + " ended; its reason stands in "
                + new File(System.getProperty("java.io.tmpdir"), log(entrant)));
      }
      return new Answer(line.substring(Worker.ANSWER.length()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the process. */
  @Override
  public void close() {
    commands.println("quit");
    commands.close();
    process.destroy();
  }
}
