package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.QuotaTree;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The corpus in {@code smuggling.txt}, each of it sent to a gateway as it stands there: whole, and
 * byte by byte.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SmugglingTest {

  private static final String CORPUS = "smuggling.txt";
  private static final int LEAST = 60;
  private static final String END = "x";

  /**
   * Asked for at the end of what is to leave the connection usable: only a whole reading gets here.
   */
  private static final String PROBE = "GET /probe HTTP/1.1\r\nHost: h\r\n\r\n";

  private final Queue<String> reached = new ConcurrentLinkedQueue<>();
  private final TestUpstream upstream = TestUpstream.that(this::record);
  private final RunningGateway gateway =
      RunningGateway.of(QuotaTree.empty()).to(upstream.port()).start();

  /** One of the corpus. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares inputs
  record Input(String name, List<String> answers, List<String> upstream, byte[] bytes) {
    @Override
    public String toString() {
      return name;
    }
  }

  private void record(HttpServerRequest request) {
    request
        .body()
        .onSuccess(
            body -> {
              reached.add(request.method() + " " + request.uri() + " " + body.length());
              request.response().end("answer");
            });
  }

  @AfterAll
  void stop() {
    gateway.close();
    upstream.close();
    LeakRecorder.assertNoLeak();
  }

  static List<Input> corpus() throws IOException {
    List<Input> inputs = new ArrayList<>();
    try (InputStream in = SmugglingTest.class.getResourceAsStream(CORPUS)) {
      String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      for (String entry : text.substring(text.indexOf("\n== ")).split("\n== ", -1)) {
        if (!entry.isBlank()) {
          inputs.add(input(entry.split("\n", 3)));
        }
      }
    }
    return inputs;
  }

  private static Input input(String[] parts) {
    String[] right = parts[1].substring("-> ".length()).split(" \\| ", -1);
    return new Input(
        parts[0],
        List.of(right[0].split(" ", -1)),
        right.length > 1 ? List.of(right[1].split(", ", -1)) : List.of(),
        bytes(parts[2].replace("\n", "")));
  }

  private static byte[] bytes(String written) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int i = 0;
    while (i < written.length()) {
      char c = written.charAt(i++);
      if (c != '\\') {
        bytes.write(c);
        continue;
      }
      switch (written.charAt(i++)) {
        case 'r' -> bytes.write('\r');
        case 'n' -> bytes.write('\n');
        case 't' -> bytes.write('\t');
        case '0' -> bytes.write(0);
        case 'x' -> {
          bytes.write(Integer.parseInt(written.substring(i, i + 2), 16));
          i += 2;
        }
        default -> throw new IllegalArgumentException(written.substring(i - 2));
      }
    }
    return bytes.toByteArray();
  }

  @Test
  void the_corpus_is_as_large_as_it_should_be() throws IOException {
    assertThat(corpus()).hasSizeGreaterThan(LEAST);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("corpus")
  void each_input_has_its_one_right_answer(Input input) {
    assertRight(input, client -> client.send(input.bytes()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("corpus")
  void it_is_the_same_byte_by_byte(Input input) {
    assertRight(
        input,
        client -> {
          for (byte each : input.bytes()) {
            client.trySend(new byte[] {each});
          }
        });
  }

  private interface Sending {
    void by(RawHttp client);
  }

  private void assertRight(Input input, Sending sending) {
    reached.clear();
    List<String> answers = new ArrayList<>();
    boolean ends = input.answers().contains(END);
    try (RawHttp client = gateway.connect()) {
      sending.by(client);
      if (!ends) {
        client.send(PROBE);
      }
      int expected = input.answers().size() - (ends ? 1 : 0);
      for (int i = 0; i < expected; i++) {
        answers.add(String.valueOf(client.reply().status()));
      }
      if (ends) {
        // Without an answer there may be bytes of HTTP/2; behind one there is nothing more.
        assertThat(expected == 0 ? client.endsAtLast() : client.ended())
            .as("the connection ends")
            .isTrue();
        answers.add(END);
      } else {
        assertThat(client.reply().status()).as("of the request behind it").isEqualTo(200);
      }
    }
    List<String> wanted = new ArrayList<>(input.upstream());
    if (!ends) {
      wanted.add("GET /probe 0");
    }
    assertThat(answers).isEqualTo(input.answers());
    assertThat(reached).containsExactlyElementsOf(wanted);
    gateway.awaitQuiet();
  }
}
