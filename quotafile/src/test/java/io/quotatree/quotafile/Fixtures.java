package io.quotatree.quotafile;

import io.quotatree.quotafile.yaml.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Quota files to test with. In those with mistakes the first lines, which begin with {@code #:},
 * say what must be told of the file: all of it, in order.
 */
final class Fixtures {

  private static final Path ROOT = Path.of("src/test/resources");
  private static final String EXPECTED = "#: ";

  private Fixtures() {}

  static List<Path> in(String folder) {
    try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> expected(Path file) {
    try {
      return Files.readAllLines(file).stream()
          .takeWhile(line -> line.startsWith(EXPECTED))
          .map(line -> line.substring(EXPECTED.length()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Reading read(Path file) {
    try {
      return QuotaFiles.read(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Problems as fixtures write them: without the file. */
  static List<String> told(List<Problem> problems) {
    return problems.stream()
        .map(problem -> problem.line() + ":" + problem.column() + ": " + problem.text())
        .toList();
  }
}
