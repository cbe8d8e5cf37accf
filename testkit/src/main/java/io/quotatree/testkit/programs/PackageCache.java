package io.quotatree.testkit.programs;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Packages of this machine's Debian, unpacked in the user's own cache, each with what it needs and
 * the machine lacks.
 *
 * <p>apt-get says what is lacking and fetches it from wherever the machine is set up to, but
 * installs nothing. Its lists of packages may be missing (container images leave them out) or old;
 * then it makes its own in the cache. A package appears in the cache when it is whole, by a rename,
 * and one process at a time puts one there.
 */
final class PackageCache {

  private static final Path RELEASE = Path.of("/etc/os-release");

  private final Path folder;
  private final List<String> aptOptions;

  /**
   * @param folder where packages are kept
   * @param aptOptions what apt-get is told besides its own configuration
   */
  PackageCache(Path folder, String... aptOptions) {
    this.folder = folder;
    this.aptOptions = List.of(aptOptions);
  }

  /** The one of this user, for this release and processor. */
  static PackageCache ofThisUser() throws IOException {
    if (DebianProgram.onPath("apt-get").isEmpty() || DebianProgram.onPath("dpkg-deb").isEmpty()) {
      throw new IOException("this is no Debian, for it lacks apt-get or dpkg-deb");
    }
    Properties release = new Properties();
    try (var in = Files.newBufferedReader(RELEASE)) {
      release.load(in);
    }
    String system =
        (release.getProperty("ID", "debian") + "-" + release.getProperty("VERSION_ID", "unstable"))
            .replace("\"", "");
    String caches = System.getenv("XDG_CACHE_HOME");
    Path home =
        caches == null || caches.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(caches);
    return new PackageCache(
        home.resolve("quotatree-tests").resolve(system + "-" + System.getProperty("os.arch")));
  }

  /** The folder that a package is unpacked in, and what it needs and the machine lacks. */
  synchronized Path unpacked(String name) throws IOException {
    Path root = folder.resolve(name);
    if (Files.isDirectory(root)) {
      return root;
    }
    Files.createDirectories(folder);
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (lock.isValid() && !Files.isDirectory(root)) {
        Path half = folder.resolve(name + ".half");
        delete(half);
        fetch(name, Files.createDirectories(half));
        Files.move(half, root, StandardCopyOption.ATOMIC_MOVE);
      }
    }
    return root;
  }

  private void fetch(String name, Path into) throws IOException {
    Path downloads = into.resolve("downloads");
    Files.createDirectories(downloads);
    List<String> lists = ownLists();
    try {
      download(name, downloads, Files.isDirectory(folder.resolve("lists")) ? lists : List.of());
    } catch (IOException e) {
      // No lists, or so old that what they name has gone.
      Files.createDirectories(folder.resolve("lists/partial"));
      String said = apt(downloads, lists, "update");
      try {
        download(name, downloads, lists);
      } catch (IOException again) {
        // Without a network apt-get update only warns.
        throw new IOException(again.getMessage() + "; `apt-get update` had said: " + said, again);
      }
    }
    try (Stream<Path> packages = Files.list(downloads)) {
      for (Path file : packages.toList()) {
        say(into, "dpkg-deb", "-x", file.toString(), into.toString());
      }
    }
    delete(downloads);
  }

  private List<String> ownLists() {
    return List.of(
        "-o", "Dir::State::lists=" + folder.resolve("lists"),
        "-o", "Dir::Cache=" + folder.resolve("apt"));
  }

  private void download(String name, Path into, List<String> lists) throws IOException {
    String plan = apt(into, lists, "install", "--simulate", "--no-install-recommends", name);
    List<String> wanted =
        new ArrayList<>(
            plan.lines()
                .filter(line -> line.startsWith("Inst "))
                .map(line -> line.split(" ", 3)[1])
                .toList());
    if (!wanted.contains(name)) {
      wanted.add(name);
    }
    wanted.add(0, "download");
    apt(into, lists, wanted.toArray(String[]::new));
  }

  private String apt(Path in, List<String> options, String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("apt-get", "-q"));
    // Run by root, apt fetches as a user who may not write here.
    command.addAll(List.of("-o", "APT::Sandbox::User=root"));
    command.addAll(aptOptions);
    command.addAll(options);
    command.addAll(Arrays.asList(words));
    return say(in, command.toArray(String[]::new));
  }

  private static String say(Path in, String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(in.toFile());
    builder.environment().put("LC_ALL", "C");
    Ending ending = Ending.of(builder);
    if (ending.exitCode() != 0) {
      throw new IOException("`%s` said: %s".formatted(String.join(" ", command), ending.said()));
    }
    return ending.said();
  }

  private static void delete(Path tree) throws IOException {
    if (Files.exists(tree)) {
      try (Stream<Path> files = Files.walk(tree)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
