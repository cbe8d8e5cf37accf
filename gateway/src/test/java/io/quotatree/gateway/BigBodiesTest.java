package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.QuotaTree;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A gigabyte up and a gigabyte down, through a gateway that has no room for a tenth of it. */
final class BigBodiesTest {

  private static final long BYTES = 1L << 30;
  private static final int PIECE = 64 * 1024;

  private final TestUpstream upstream =
      TestUpstream.that(
          request -> {
            if ("/down".equals(request.path())) {
              request.response().putHeader("Content-Length", Long.toString(BYTES));
              pour(request.response(), BYTES / PIECE);
            } else {
              long[] read = {0};
              request.handler(piece -> read[0] += piece.length());
              request.endHandler(v -> request.response().end(Long.toString(read[0])));
            }
          });

  private static void pour(HttpServerResponse response, long pieces) {
    long left = pieces;
    while (left > 0 && !response.closed() && !response.writeQueueFull()) {
      response.write(Buffer.buffer(new byte[PIECE]));
      left--;
    }
    if (left == 0) {
      response.end();
    } else if (!response.closed()) {
      long more = left;
      response.drainHandler(v -> pour(response, more));
    }
  }

  @AfterEach
  void stop() {
    upstream.close();
  }

  /** The gateway in a process of its own: a heap of 48 MB and 32 MB besides. */
  private Process gateway() throws IOException {
    return new ProcessBuilder(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx48m",
                "-XX:MaxDirectMemorySize=32m",
                "-Dio.netty.maxDirectMemory=33554432",
                "-cp",
                System.getProperty("java.class.path"),
                Small.class.getName(),
                Integer.toString(upstream.port())))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** The process' main class. */
  static final class Small {
    private Small() {}

    public static void main(String[] arguments) throws IOException {
      RunningGateway gateway =
          RunningGateway.of(QuotaTree.empty()).to(Integer.parseInt(arguments[0])).start();
      System.out.println(gateway.port());
      System.out.flush();
      while (System.in.read() >= 0) {
        // Runs until the test lets go.
      }
      gateway.close();
    }
  }

  @Test
  void a_gigabyte_passes_each_way_in_flat_memory() throws Exception {
    Process process = gateway();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      int port = Integer.parseInt(said.readLine());
      try (RawHttp client = RawHttp.connect(port)) {
        client.sendHead("POST", "/up", "Content-Length: " + BYTES);
        byte[] piece = new byte[PIECE];
        for (long sent = 0; sent < BYTES; sent += PIECE) {
          client.send(piece);
        }
        assertThat(client.reply().body()).isEqualTo(Long.toString(BYTES));
        client.sendHead("GET", "/down");
        assertThat(client.head().status()).isEqualTo(200);
        for (long read = 0; read < BYTES; read += PIECE) {
          client.exactly(PIECE);
        }
        assertThat(client.ask("POST", "/up", "Content-Length: 0").body()).isEqualTo("0");
      }
    } finally {
      process.getOutputStream().close();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }
  }
}
