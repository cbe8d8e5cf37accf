package io.quotatree.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.testkit.programs.DebianProgram;
import io.quotatree.testkit.programs.Nginx;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Under the tools that load servers every request is answered, and counted as it was answered. */
final class LoadToolsTest {

  private static final int CONNECTIONS = 32;
  private static final String ALLOWED =
      "quotatree_decisions_total{layer=\"none\",outcome=\"allowed\"}";
  private static final String REFUSED =
      "quotatree_decisions_total{layer=\"caller\",outcome=\"refused\"}";
  private static final String ANSWERED =
      "quotatree_upstream_requests_total{status=\"2xx\",upstream=\"service\"}";

  @TempDir private static Path nginxFolder;
  @TempDir private static Path folder;

  private static Nginx nginx;
  private static Served served;

  @BeforeAll
  static void start() {
    nginx =
        Nginx.start(
            nginxFolder,
            """
            keepalive_requests 1000000;
            server { listen 127.0.0.1:${port}; location / { return 200 "small"; } }
            """);
    served =
        Served.in(
            folder,
            """
            server: { listen: "127.0.0.1:0", admin: "127.0.0.1:0" }
            identity: { caller: ["header:X-App-Id"], trusted_proxies: [127.0.0.0/8] }
            routes: [{ match: "/**", upstream: service }]
            upstreams: { service: { targets: ["http://127.0.0.1:%d"] } }
            quotas: { caller: { default: 6000/day } }
            """
                .formatted(nginx.port()));
  }

  @AfterAll
  static void stop() {
    served.close();
    nginx.close();
  }

  /** What the gateway counted since it was last asked. */
  private static final class Counted {
    private final long allowedBefore = served.metric(ALLOWED);
    private final long refusedBefore = served.metric(REFUSED);
    private final long answeredBefore = served.metric(ANSWERED);

    long allowed() {
      return served.metric(ALLOWED) - allowedBefore;
    }

    long refused() {
      return served.metric(REFUSED) - refusedBefore;
    }

    long answered() {
      return served.metric(ANSWERED) - answeredBefore;
    }
  }

  private static long figure(String pattern, String said) {
    Matcher matcher = Pattern.compile(pattern).matcher(said);
    assertThat(matcher.find()).as("`%s` in: %s", pattern, said).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  @Test
  void h2load_gets_an_answer_on_each_of_10000_streams_and_the_counts_add_up() {
    Counted counted = new Counted();
    String said =
        DebianProgram.H2LOAD.run(
            "-n10000", "-c8", "-m50", "--header=X-App-Id: h2load", served.at("/a"));
    assertThat(said)
        .contains("10000 total, 10000 started, 10000 done")
        .contains("0 errored, 0 timeout");
    long allowed = figure("status codes: (\\d+) 2xx", said);
    long refused = figure("(\\d+) 4xx", said);
    assertThat(allowed).as("a day's 6000, and what a minute adds").isBetween(6000L, 6005L);
    assertThat(allowed + refused).isEqualTo(10_000);
    served.awaitQuiet();
    assertThat(counted.allowed()).isEqualTo(allowed);
    assertThat(counted.refused()).isEqualTo(refused);
    assertThat(counted.answered()).isEqualTo(allowed);
  }

  @Test
  void wrk_keeps_its_connections_and_the_counts_add_up() {
    Counted counted = new Counted();
    String said =
        DebianProgram.WRK.run(
            "-t1", "-c" + CONNECTIONS, "-d2s", "-H", "X-App-Id: wrk", served.at("/a"));
    // A connection that the gateway closes on wrk is told here.
    assertThat(said).doesNotContain("Socket errors");
    long answers = figure("(\\d+) requests in", said);
    long refusals = said.contains("Non-2xx") ? figure("Non-2xx or 3xx responses: (\\d+)", said) : 0;
    served.awaitQuiet();
    // It leaves while each connection has one more request under way.
    assertThat(answers).isGreaterThan(CONNECTIONS);
    assertThat(counted.allowed() + counted.refused()).isBetween(answers, answers + CONNECTIONS);
    assertThat(counted.refused()).isBetween(refusals, refusals + CONNECTIONS);
    assertThat(counted.answered()).isBetween(counted.allowed() - CONNECTIONS, counted.allowed());
  }
}
