package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.QuotaTree;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that send far more frames than requests. */
final class FloodTest {

  private static final int FRAMES_A_WRITE = 500;
  private static final int WRITES = 4_000;

  /** More than the system keeps of what was sent to a client that does not read. */
  private static final int BIG_BYTES = 16 * 1024 * 1024;

  private static final byte[] A_GIGABYTE = {0x40, 0, 0, 0};
  private static final byte[] INITIAL_WINDOW_OF_A_GIGABYTE = {0, 4, 0x40, 0, 0, 0};

  private final Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
  private final TestUpstream upstream =
      TestUpstream.that(
          request -> {
            if (request.path().startsWith("/held")) {
              held.add(request);
            } else if (request.path().equals("/big")) {
              request.response().end(Buffer.buffer(new byte[BIG_BYTES]));
            } else {
              request.response().end("answer");
            }
          });
  private final RunningGateway gateway =
      RunningGateway.of(permits(1_000)).to(upstream.port()).start();
  private final RawHttp2 client = RawHttp2.connect(gateway.port());

  private static QuotaTree permits(int inFlight) {
    return Trees.node(Trees.bucket(1_000_000, Trees.SECOND).withConcurrency(inFlight));
  }

  @AfterEach
  void others_are_served_and_nothing_is_left() {
    client.close();
    gateway.awaitQuiet();
    try (RawHttp another = gateway.connect()) {
      assertThat(another.ask("GET", "/").status()).isEqualTo(200);
    }
    gateway.close();
    upstream.close();
    LeakRecorder.assertNoLeak();
  }

  /**
   * Has the gateway send more than anybody reads: what it answers to frames from then on waits in
   * the gateway itself, and not in the system's buffers.
   */
  private void leaveAnAnswerUnread() {
    client.send(RawHttp2.SETTINGS, 0, 0, INITIAL_WINDOW_OF_A_GIGABYTE);
    client.send(RawHttp2.WINDOW_UPDATE, 0, 0, A_GIGABYTE);
    client.get(1, "/big");
    assertThat(client.awaits(RawHttp2.DATA)).isNotNull();
  }

  /** Writes the same frames again and again, without reading, until nobody takes them any more. */
  private boolean endedBy(IntFunction<byte[]> frames) {
    try {
      for (int i = 0; i < WRITES; i++) {
        client.write(frames.apply(i));
      }
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private static byte[] repeated(byte[] frame) {
    byte[] all = new byte[frame.length * FRAMES_A_WRITE];
    for (int i = 0; i < all.length; i += frame.length) {
      System.arraycopy(frame, 0, all, i, frame.length);
    }
    return all;
  }

  /** A request on a stream of its own, and a frame about that stream right behind it. */
  private static byte[] begunAnd(int number, int type, byte... payload) {
    int stream = 2 * number + 1;
    int whole = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;
    byte[] head = RawHttp2.block(RawHttp2.request("GET", "/held"));
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(RawHttp2.frame(RawHttp2.HEADERS, whole, stream, head));
    both.writeBytes(RawHttp2.frame(type, 0, stream, payload));
    return both.toByteArray();
  }

  private void assertEnded(boolean ended) {
    assertThat(ended || client.awaits(RawHttp2.DATA) == null).isTrue();
    assertThat(upstream.requests.get()).isLessThanOrEqualTo(201);
  }

  @Test
  void streams_that_are_begun_and_reset_at_once_end_the_connection() {
    byte[] cancel = {0, 0, 0, 8};
    assertEnded(endedBy(i -> begunAnd(i, RawHttp2.RST_STREAM, cancel)));
  }

  @Test
  void requests_that_have_the_gateway_reset_streams_end_the_connection_too() {
    // "Made you reset": each window update of nothing is a mistake that is answered by a reset.
    byte[] nothing = {0, 0, 0, 0};
    assertEnded(endedBy(i -> begunAnd(i, RawHttp2.WINDOW_UPDATE, nothing)));
  }

  @Test
  void pings_whose_answers_nobody_reads_end_the_connection() {
    leaveAnAnswerUnread();
    byte[] pings = repeated(RawHttp2.frame(RawHttp2.PING, 0, 0, new byte[8]));
    assertThat(endedBy(i -> pings)).isTrue();
  }

  @Test
  void settings_whose_answers_nobody_reads_end_the_connection() {
    leaveAnAnswerUnread();
    byte[] settings = repeated(RawHttp2.frame(RawHttp2.SETTINGS, 0, 0));
    assertThat(endedBy(i -> settings)).isTrue();
  }

  @Test
  void data_frames_of_nothing_end_the_connection() {
    client.headers(1, 0, RawHttp2.request("POST", "/"));
    byte[] empty = repeated(RawHttp2.frame(RawHttp2.DATA, 0, 1));
    assertThat(endedBy(i -> empty)).isTrue();
  }

  @Test
  void a_head_that_goes_on_without_end_ends_the_connection() {
    client.send(
        RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, RawHttp2.block(RawHttp2.request("GET", "/")));
    byte[] more = repeated(RawHttp2.frame(RawHttp2.CONTINUATION, 0, 1, RawHttp2.block("x-a", "1")));
    assertThat(endedBy(i -> more)).isTrue();
    assertThat(upstream.requests).hasValue(0);
  }

  @Test
  void a_head_that_goes_on_in_frames_of_nothing_ends_the_connection() {
    client.send(
        RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, RawHttp2.block(RawHttp2.request("GET", "/")));
    byte[] empty = repeated(RawHttp2.frame(RawHttp2.CONTINUATION, 0, 1));
    assertThat(endedBy(i -> empty)).isTrue();
    assertThat(upstream.requests).hasValue(0);
  }

  @Test
  void streams_at_the_same_time_are_bounded() {
    for (int i = 0; i < 300; i++) {
      client.get(2 * i + 1, "/held");
    }
    Eventually.holds("as many as may be are held", () -> held.size() == 128);
    RawHttp2.Frame refused = client.awaits(RawHttp2.RST_STREAM);
    assertThat(refused).isNotNull();
    assertThat(RawHttp2.code(refused, 0)).as("refused, to be sent again").isEqualTo(7);
    assertThat(held).hasSize(128);
  }
}
