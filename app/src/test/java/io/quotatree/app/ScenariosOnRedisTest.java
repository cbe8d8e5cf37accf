package io.quotatree.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.cli.QuotatreeCommands;
import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code quotatree test --store} on a real server: what holds in memory holds there. */
final class ScenariosOnRedisTest {

  private static final Path EXAMPLES = Path.of("../examples/scenarios");

  /** Each request waits for an answer: a million of them would take minutes. */
  private static final int MOST_REQUESTS = 10_000;

  private static final int MOST_LOOKS = 20_000;

  private static final String INTERRUPTED =
      "quotatree test: interrupted; what was made in the store is deleted";

  private static final Pattern TIMES = Pattern.compile("times: ([0-9]+)");

  private final RedisServer redis = RedisServer.start();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void stop() {
    redis.close();
  }

  private static List<String> examples() throws IOException {
    try (Stream<Path> files = Files.walk(EXAMPLES)) {
      return files
          .filter(file -> file.toString().endsWith(".yaml"))
          .filter(file -> requests(file) <= MOST_REQUESTS)
          .map(Path::toString)
          .sorted()
          .toList();
    }
  }

  private static long requests(Path scenario) {
    try {
      return TIMES
          .matcher(Files.readString(scenario))
          .results()
          .mapToLong(times -> Long.parseLong(times.group(1)))
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int test(String store, String... paths) {
    CommandLine commands = QuotatreeCommands.commandLine();
    commands.setOut(new PrintWriter(out));
    commands.setErr(new PrintWriter(err));
    List<String> words = new ArrayList<>(List.of("test", "--store", store));
    words.addAll(List.of(paths));
    return commands.execute(words.toArray(String[]::new));
  }

  @Test
  void examples_hold_on_a_shared_store_and_leave_nothing_there() throws IOException {
    List<String> examples = examples();
    assertThat(examples).hasSizeGreaterThan(90);
    int code = test(redis.uri(), examples.toArray(String[]::new));
    assertThat(code).as(out + "\n" + err).isZero();
    assertThat(out.toString()).containsPattern("[0-9]{2,} passed");
    assertThat(redis.keys()).isEmpty();
  }

  @Test
  void a_store_that_is_not_there_is_no_failed_scenario() throws IOException {
    int nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = socket.getLocalPort();
    }
    assertThat(test("redis://:sesame@127.0.0.1:" + nobody, EXAMPLES.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("no connection to the store").doesNotContain("sesame");
  }

  @Test
  void an_address_that_is_none_is_told_without_the_secret_in_it() {
    assertThat(test("redis://:sesame@:x", EXAMPLES.toString())).isEqualTo(2);
    assertThat(test("memcached://:sesame@127.0.0.1", EXAMPLES.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("write redis://HOST:PORT").doesNotContain("sesame");
  }

  @Test
  void a_store_that_fails_on_the_way_is_no_failed_scenario() {
    try (RedisConnection connection = redis.connection()) {
      connection.ask("CONFIG", "SET", "maxmemory", "1");
    }
    assertThat(test(redis.uri(), EXAMPLES.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("the store gives no answers");
  }

  @Test
  void who_is_interrupted_says_so_and_leaves_nothing_in_the_store() {
    Path million = EXAMPLES.resolve("stories/unknown-paths.yaml");
    try (Program program = Program.start("test", "--store", redis.uri(), million.toString())) {
      for (int i = 0; i < MOST_LOOKS && redis.keys().isEmpty(); i++) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
      program.signal("INT");
      assertThat(program.exitCode()).isEqualTo(130);
      assertThat(program.output()).isEqualTo(INTERRUPTED);
    }
    assertThat(redis.keys()).isEmpty();
  }
}
