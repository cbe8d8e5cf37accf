package io.quotatree.bench;

import io.quotatree.bench.measure.Effort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Runs JMH on the small parts, in a process of its own, and reads its figures. */
final class SmallParts {

  private static final String JMH = "org.openjdk.jmh.Main";
  private static final int NAME = 0;
  private static final int SCORE = 4;
  private static final int ERROR = 5;

  private SmallParts() {}

  static List<Row> run(Effort effort, Consumer<String> progress) {
    progress.accept("small parts, by JMH");
    try {
      Path results = Files.createTempFile("quotatree-bench", ".csv");
      try {
        measure(effort, results);
        return rows(Files.readAllLines(results));
      } finally {
        Files.delete(results);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void measure(Effort effort, Path results) throws IOException {
    String iterations = Integer.toString(effort.rounds());
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            JMH,
            "io.quotatree.bench.jmh",
            "-f",
            "1",
            "-wi",
            "5",
            "-w",
            "200ms",
            "-i",
            iterations,
            "-r",
            "200ms",
            "-rf",
            "csv",
            "-rff",
            results.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (process.waitFor() != 0) {
        throw new IllegalStateException(
            "JMH failed; run it by hand to see why: " + String.join(" ", command));
      }
    } catch (InterruptedException e) {
      process.destroy();
      throw new IllegalStateException("interrupted while JMH ran", e);
    }
  }

  private static List<Row> rows(List<String> lines) {
    List<Row> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.replace("\"", "").split(",", -1);
      String name = cells[NAME].substring("io.quotatree.bench.jmh.".length());
      double nanos = Double.parseDouble(cells[SCORE]);
      double error = Double.parseDouble(cells[ERROR]);
      rows.add(
          Row.part(
              "JMH",
              name,
              String.format(Locale.ROOT, "%.1f", nanos),
              String.format(Locale.ROOT, "±%.1f", error)));
    }
    return rows;
  }
}
