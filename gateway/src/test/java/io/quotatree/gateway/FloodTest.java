package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.QuotaTree;
import io.vertx.core.http.HttpServerRequest;
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

  private final Queue<HttpServerRequest> held = new ConcurrentLinkedQueue<>();
  private final TestUpstream upstream =
      TestUpstream.that(
          request -> {
            if (request.path().startsWith("/held")) {
              held.add(request);
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

  @Test
  void streams_that_are_begun_and_reset_at_once_end_the_connection() {
    byte[] reset = {0, 0, 0, 8};
    boolean ended =
        endedBy(
            i -> {
              int stream = 2 * i + 1;
              byte[] begun =
                  RawHttp2.frame(
                      RawHttp2.HEADERS,
                      RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                      stream,
                      RawHttp2.block(RawHttp2.request("GET", "/held")));
              byte[] over = RawHttp2.frame(RawHttp2.RST_STREAM, 0, stream, reset);
              byte[] both = new byte[begun.length + over.length];
              System.arraycopy(begun, 0, both, 0, begun.length);
              System.arraycopy(over, 0, both, begun.length, over.length);
              return both;
            });
    assertThat(ended || client.awaits(RawHttp2.DATA) == null).isTrue();
    assertThat(upstream.requests.get()).isLessThanOrEqualTo(201);
  }

  @Test
  void requests_that_have_the_gateway_reset_streams_end_the_connection_too() {
    // "Made you reset": each window update of nothing is a mistake that the server answers by
    // reset.
    byte[] nothing = {0, 0, 0, 0};
    boolean ended =
        endedBy(
            i -> {
              int stream = 2 * i + 1;
              byte[] begun =
                  RawHttp2.frame(
                      RawHttp2.HEADERS,
                      RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
                      stream,
                      RawHttp2.block(RawHttp2.request("GET", "/held")));
              byte[] mistake = RawHttp2.frame(8, 0, stream, nothing);
              byte[] both = new byte[begun.length + mistake.length];
              System.arraycopy(begun, 0, both, 0, begun.length);
              System.arraycopy(mistake, 0, both, begun.length, mistake.length);
              return both;
            });
    assertThat(ended || client.awaits(RawHttp2.DATA) == null).isTrue();
    assertThat(upstream.requests.get()).isLessThanOrEqualTo(201);
  }

  @Test
  void pings_whose_answers_nobody_reads_end_the_connection() {
    byte[] pings = repeated(RawHttp2.frame(RawHttp2.PING, 0, 0, new byte[8]));
    assertThat(endedBy(i -> pings)).isTrue();
  }

  @Test
  void settings_whose_answers_nobody_reads_end_the_connection() {
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
