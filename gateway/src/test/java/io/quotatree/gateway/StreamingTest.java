package io.quotatree.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.QuotaTree;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bodies pass as they come, and whoever reads slowly slows down who writes. */
final class StreamingTest {

  private static final int PIECE = 64 * 1024;
  private static final long MANY_PIECES = 1_024;

  /** Far more than the sockets' buffers of all connections together, far less than all pieces. */
  private static final long HELD_AT_MOST = 40L * 1024 * 1024;

  private final AtomicReference<@Nullable HttpServerRequest> arrived = new AtomicReference<>();
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong read = new AtomicLong();
  private final TestUpstream upstream = TestUpstream.that(this::take);
  private final RunningGateway gateway =
      RunningGateway.of(QuotaTree.empty()).to(upstream.port()).start();
  private final RawHttp client = gateway.connect();

  private void take(HttpServerRequest request) {
    switch (String.valueOf(request.path())) {
      case "/download" -> download(request.response().setChunked(true), MANY_PIECES);
      case "/upload" -> {
        request.pause();
        request.exceptionHandler(gone -> request.resume());
        request.handler(piece -> read.addAndGet(piece.length()));
        request.endHandler(v -> request.response().end(Long.toString(read.get())));
      }
      default -> request.response().setChunked(true).writeHead();
    }
    arrived.set(request);
  }

  private void download(HttpServerResponse response, long left) {
    long rest = left;
    while (rest > 0 && !response.closed() && !response.writeQueueFull()) {
      response.write(Buffer.buffer(new byte[PIECE]));
      written.addAndGet(PIECE);
      rest--;
    }
    if (rest == 0) {
      response.end();
    } else if (!response.closed()) {
      long more = rest;
      response.drainHandler(v -> download(response, more));
    }
  }

  @AfterAll
  static void nothingWasLost() {
    LeakRecorder.assertNoLeak();
  }

  @AfterEach
  void stop() {
    client.close();
    gateway.close();
    upstream.close();
  }

  private HttpServerRequest atUpstream() {
    Eventually.holds("a request at the upstream", () -> arrived.get() != null);
    return Objects.requireNonNull(arrived.get());
  }

  @Test
  void the_head_of_an_answer_comes_before_its_body_and_each_piece_as_it_is_written()
      throws IOException {
    client.sendHead("GET", "/events");
    assertThat(client.head().status()).isEqualTo(200);
    HttpServerResponse response = atUpstream().response();
    for (String event : new String[] {"data: 1\n\n", "data: 2\n\n"}) {
      response.write(event);
      assertThat(new String(client.exactly(("9\r\n" + event + "\r\n").length()), UTF_8))
          .isEqualTo("9\r\n" + event + "\r\n");
    }
  }

  @Test
  void a_client_that_does_not_read_stops_the_upstream() {
    client.sendHead("GET", "/download");
    atUpstream();
    assertStands(written);
    assertThat(written.get()).isLessThan(HELD_AT_MOST);
    assertThat(client.reply().content().length()).isEqualTo((int) (MANY_PIECES * PIECE));
  }

  @Test
  void an_answer_whose_connection_ends_with_it_is_whole_however_slowly_it_is_read()
      throws InterruptedException {
    String answer = "x".repeat(8 * 1024 * 1024);
    CountDownLatch sent = new CountDownLatch(10);
    try (RawUpstream closing =
            new RawUpstream(
                connection -> {
                  connection.readHead();
                  connection.write(
                      "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: "
                          + answer.length()
                          + "\r\n\r\n");
                  connection.write(answer);
                  sent.countDown();
                });
        RunningGateway other = RunningGateway.of(QuotaTree.empty()).to(closing.port()).start()) {
      List<RawHttp> clients = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        clients.add(other.connect().sendHead("GET", "/"));
      }
      for (RawHttp slow : clients) {
        assertThat(slow.reply().content().length()).isEqualTo(answer.length());
        slow.close();
      }
    }
  }

  @Test
  void bodies_that_nobody_takes_any_more_are_not_kept() {
    for (int i = 0; i < 50; i++) {
      RawHttp leaver = gateway.connect();
      leaver.sendHead("POST", "/upload", "Content-Length: 100000000");
      int begun = i + 1;
      Eventually.holds("upload " + begun, () -> upstream.requests.get() == begun);
      leaver.send(new byte[PIECE * (i % 10)]);
      leaver.vanish();
      gateway.awaitQuiet();
    }
    for (int i = 0; i < 50; i++) {
      RawHttp leaver = gateway.connect().sendHead("GET", "/download");
      assertThat(leaver.head().status()).isEqualTo(200);
      leaver.vanish();
      gateway.awaitQuiet();
    }
  }

  @Test
  void an_upstream_that_does_not_read_stops_the_client() throws InterruptedException {
    AtomicLong sent = new AtomicLong();
    client.sendHead("POST", "/upload", "Content-Length: " + MANY_PIECES * PIECE);
    Thread sender =
        new Thread(
            () -> {
              for (int i = 0; i < MANY_PIECES; i++) {
                client.send(new byte[PIECE]);
                sent.addAndGet(PIECE);
              }
            });
    sender.start();
    HttpServerRequest request = atUpstream();
    assertStands(sent);
    assertThat(sent.get()).isLessThan(HELD_AT_MOST);
    upstream.vertx().runOnContext(v -> request.resume());
    assertThat(client.reply().body()).isEqualTo(Long.toString(MANY_PIECES * PIECE));
    sender.join();
  }

  /** Waits until a count has begun and then stands still for many looks in a row. */
  private static void assertStands(AtomicLong count) {
    long[] last = {0, 0};
    Eventually.holds(
        "a standstill",
        () -> {
          long now = count.get();
          last[1] = now == last[0] && now > 0 ? last[1] + 1 : 0;
          last[0] = now;
          return last[1] > 2_000;
        });
  }
}
