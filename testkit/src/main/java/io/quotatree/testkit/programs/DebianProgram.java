package io.quotatree.testkit.programs;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A program that Debian has in a package.
 *
 * <p>The one on the PATH is taken. Where there is none, its package is fetched and unpacked into a
 * folder of its own, see {@link PackageCache}; the system stays as it is. Where that cannot be done
 * the test that wants it fails, and the error says what to install: a test that is skipped in
 * silence proves nothing.
 */
public enum DebianProgram {
  /** Speaks HTTP/1.1 and HTTP/2 as its user tells it. */
  CURL("curl", "curl"),
  /** Loads a server by HTTP/2, by many streams on few connections. */
  H2LOAD("h2load", "nghttp2-client"),
  /** A server and a proxy; {@link Nginx} runs it. */
  NGINX("nginx", "nginx"),
  /** Loads a server by HTTP/1.1 for a while, on connections that are kept. */
  WRK("wrk", "wrk");

  /** Where Debian has what only root is expected to type. */
  private static final List<String> ADMINISTRATORS_FOLDERS =
      List.of("/usr/local/sbin", "/usr/sbin", "/sbin");

  /** What was found so far; whoever wants a program first looks for it, others wait. */
  private static final Map<DebianProgram, Found> FOUND = new ConcurrentHashMap<>();

  private final String file;
  private final String debianPackage;

  DebianProgram(String file, String debianPackage) {
    this.file = file;
    this.debianPackage = debianPackage;
  }

  /** The file to run, and the folders of its own libraries. */
  private record Found(Path file, List<Path> libraries) {}

  /** How it is started with these arguments; not started yet. */
  public ProcessBuilder command(String... arguments) {
    Found program = find();
    List<String> words = new ArrayList<>();
    words.add(program.file.toString());
    words.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("LC_ALL", "C");
    if (!program.libraries.isEmpty()) {
      builder
          .environment()
          .put(
              "LD_LIBRARY_PATH",
              String.join(
                  File.pathSeparator, program.libraries.stream().map(Path::toString).toList()));
    }
    return builder;
  }

  /** Runs it to its end, which must be a good one, and answers all that it said. */
  public String run(String... arguments) {
    Ending ending = Ending.of(command(arguments));
    if (ending.exitCode() != 0) {
      throw new AssertionError(
          "%s ended with %d: %s".formatted(file, ending.exitCode(), ending.said()));
    }
    return ending.said();
  }

  private Found find() {
    return FOUND.computeIfAbsent(
        this,
        program -> onPath(file).map(path -> new Found(path, List.of())).orElseGet(this::fetched));
  }

  static Optional<Path> onPath(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(Stream.of(path.split(File.pathSeparator)), ADMINISTRATORS_FOLDERS.stream())
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(candidate -> Files.isRegularFile(candidate) && Files.isExecutable(candidate))
        .findFirst();
  }

  private Found fetched() {
    try {
      Path root = PackageCache.ofThisUser().unpacked(debianPackage);
      return new Found(executableIn(root), librariesIn(root));
    } catch (IOException e) {
      throw new AssertionError(
          "%s is not on the PATH, and its package %s could not be fetched: %s. Install it and run the tests again (Debian, Ubuntu: apt-get install %s)"
              .formatted(file, debianPackage, e.getMessage(), debianPackage),
          e);
    }
  }

  private Path executableIn(Path root) throws IOException {
    for (String folder : List.of("usr/bin", "usr/sbin", "bin", "sbin")) {
      Path candidate = root.resolve(folder).resolve(file);
      if (Files.isExecutable(candidate)) {
        return candidate;
      }
    }
    throw new IOException("the package holds no " + file);
  }

  private static List<Path> librariesIn(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(library -> library.getFileName().toString().contains(".so"))
          .map(Path::getParent)
          .distinct()
          .sorted()
          .toList();
    }
  }
}
