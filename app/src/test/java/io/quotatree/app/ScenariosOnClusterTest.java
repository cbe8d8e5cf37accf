package io.quotatree.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quotatree.cli.QuotatreeCommands;
import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.QuotaFiles;
import io.quotatree.quotafile.Reading;
import io.quotatree.testkit.store.RedisCluster;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What is configured for a cluster, on a real one. */
final class ScenariosOnClusterTest {

  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start(3);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void scenarios_hold_on_a_cluster_and_leave_nothing_there() {
    CommandLine commands = QuotatreeCommands.commandLine();
    StringWriter out = new StringWriter();
    commands.setOut(new PrintWriter(out));
    commands.setErr(new PrintWriter(out));
    int code =
        commands.execute(
            "test",
            "--store",
            String.join(",", cluster.uris()),
            "../examples/scenarios/decisions",
            "../examples/scenarios/in-flight");
    assertThat(code).as(out.toString()).isZero();
    // Gateways' own keys may be there from the other test.
    assertThat(cluster.keys()).noneMatch(key -> key.startsWith("quotatree-test-"));
  }

  @Test
  void a_file_names_a_cluster_by_a_list_of_nodes() {
    String text =
        "store: { redis: [\"%s\"] }%nquotas: { node: 10/s }%n".formatted(cluster.uris().get(1));
    Reading reading = QuotaFiles.read("test.yaml", text.getBytes(StandardCharsets.UTF_8));
    QuotaFile file = ((Reading.Sound) reading).file();
    try (Counting counting = Counting.of(file, new SimpleMeterRegistry())) {
      // Whether it was reached within the first second depends on the machine.
      while (!counting.state().equals("up")) {
        LockSupport.parkNanos(1_000_000);
      }
    }
    assertThat(List.of(file.store().orElseThrow().redis().toString()))
        .containsExactly(cluster.uris().get(1));
  }
}
