package io.quotatree.gateway;

import static io.quotatree.gateway.FivePermits.FIVE;
import static io.quotatree.gateway.FivePermits.IN_FLIGHT;
import static io.quotatree.gateway.FivePermits.TIMES;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * G4 at the gateway: whatever an upstream does instead of answering, the permit in flight comes
 * back, and only once.
 */
final class UpstreamReleaseTest {

  private final FivePermits permits = new FivePermits();
  private final Opened open = permits.open;

  @AfterAll
  static void nothingWasLost() {
    LeakRecorder.assertNoLeak();
  }

  @AfterEach
  void stop() throws Exception {
    permits.close();
  }

  @Test
  void an_upstream_that_cannot_be_reached() {
    RawUpstream gone = new RawUpstream(connection -> {});
    gone.close();
    RunningGateway gateway = permits.gateway(gone.port());
    RawHttp client = open.add(gateway.connect());
    for (int i = 0; i < TIMES; i++) {
      RawHttp.Reply reply = client.ask("GET", "/");
      assertThat(reply.status()).isEqualTo(502);
      assertThat(reply.field("content-type")).isEqualTo("application/problem+json");
    }
    gateway.awaitQuiet();
    assertThat(gateway.underWay.requests()).isZero();
  }

  private void endsWith(int status, RawUpstream.Conversation conversation) {
    RawUpstream bad = open.add(new RawUpstream(conversation));
    RunningGateway gateway = permits.gateway(bad.port());
    RawHttp client = open.add(gateway.connect());
    for (int i = 0; i < TIMES; i++) {
      assertThat(client.ask("GET", "/").status()).isEqualTo(status);
    }
    gateway.awaitQuiet();
    // One permit too few, and one of these would be a 429; the bad upstream answers all of them.
    for (int i = 0; i < IN_FLIGHT; i++) {
      assertThat(client.ask("GET", "/").status()).isEqualTo(status);
    }
  }

  @Test
  void an_upstream_that_hangs_up() {
    endsWith(502, RawUpstream.Connection::readHead);
  }

  @Test
  void an_upstream_that_speaks_no_http() {
    endsWith(
        502,
        connection -> {
          connection.readHead();
          connection.write("SSH-2.0-OpenSSH\r\n");
        });
  }

  @Test
  void an_upstream_that_switches_protocols_unasked() {
    endsWith(
        502,
        connection -> {
          connection.readHead();
          connection.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n");
        });
  }

  @Test
  void an_upstream_that_breaks_off_in_the_middle_of_its_answer() {
    RawUpstream bad =
        open.add(
            new RawUpstream(
                connection -> {
                  connection.readHead();
                  connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
                }));
    RunningGateway gateway = permits.gateway(bad.port());
    for (int i = 0; i < TIMES; i++) {
      try (RawHttp client = gateway.connect()) {
        assertThat(client.sendHead("GET", "/").head().status()).isEqualTo(200);
        for (int half = 0; half < 4; half++) {
          assertThat(client.ended()).isFalse();
        }
        assertThat(client.ended()).as("cut off, so that it is not taken for whole").isTrue();
      }
    }
    gateway.awaitQuiet();
    try (RawHttp client = gateway.connect()) {
      assertThat(client.sendHead("GET", "/").head().status()).isEqualTo(200);
    }
  }

  @Test
  void an_upstream_that_stays_silent() {
    RawUpstream silent =
        open.add(
            new RawUpstream(
                connection -> {
                  while (connection.in().read() >= 0) {
                    // Reads all and says nothing, until the gateway hangs up.
                  }
                }));
    RunningGateway gateway =
        open.add(RunningGateway.of(FIVE).to(Duration.ofMillis(20), silent.port()).start());
    for (int round = 0; round < TIMES / IN_FLIGHT; round++) {
      List<RawHttp> clients = new ArrayList<>();
      for (int i = 0; i < IN_FLIGHT; i++) {
        clients.add(gateway.connect().sendHead("GET", "/"));
      }
      for (RawHttp client : clients) {
        assertThat(client.reply().status()).isEqualTo(504);
        client.close();
      }
    }
  }
}
