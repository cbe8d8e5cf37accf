package io.quotatree.gateway;

import static io.quotatree.gateway.Trees.MINUTE;
import static io.quotatree.gateway.Trees.callers;
import static io.quotatree.gateway.Trees.window;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several targets of an upstream: turns, those that fail, and second tries. */
final class TargetsTest {

  private static final QuotaTree FREE = QuotaTree.empty();

  private final List<AutoCloseable> open = new ArrayList<>();
  private final ManualTicker clock = new ManualTicker(RunningGateway.START);

  @AfterAll
  static void nothingWasLost() {
    LeakRecorder.assertNoLeak();
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private <T extends AutoCloseable> T closing(T closeable) {
    open.add(closeable);
    return closeable;
  }

  private TestUpstream saying(String name) {
    return closing(TestUpstream.that(request -> request.response().end(name)));
  }

  /** A target that can be told to hang up on whoever comes, and counts who came. */
  private static final class Moody implements AutoCloseable {
    private final AtomicInteger came = new AtomicInteger();
    private volatile boolean broken = true;
    private final RawUpstream upstream =
        new RawUpstream(
            connection -> {
              while (connection.readHead()) {
                came.incrementAndGet();
                if (broken) {
                  return;
                }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nmoody");
              }
            });

    int port() {
      return upstream.port();
    }

    @Override
    public void close() {
      upstream.close();
    }
  }

  private static int nobodysPort() {
    RawUpstream gone = new RawUpstream(connection -> {});
    gone.close();
    return gone.port();
  }

  private RunningGateway gateway(QuotaTree tree, int... ports) {
    return closing(RunningGateway.of(tree).to(ports).watchedBy(clock).start());
  }

  private static List<String> ask(RawHttp client, int times) {
    return IntStream.range(0, times)
        .mapToObj(i -> client.ask("GET", "/"))
        .map(reply -> reply.status() == 200 ? reply.body() : Integer.toString(reply.status()))
        .toList();
  }

  private static String metric(RunningGateway gateway, String series) {
    return gateway
        .page
        .scrape()
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .findFirst()
        .orElse("no " + series);
  }

  @Test
  void targets_take_turns() {
    RunningGateway gateway =
        gateway(FREE, saying("a").port(), saying("b").port(), saying("c").port());
    assertThat(ask(closing(gateway.connect()), 6)).containsExactly("a", "b", "c", "a", "b", "c");
    assertThat(
            metric(
                gateway, "quotatree_upstream_requests_total{status=\"2xx\",upstream=\"orders\"}"))
        .isEqualTo("6.0");
  }

  @Test
  void one_that_cannot_be_reached_costs_no_request_and_is_left_out_for_ten_seconds() {
    RunningGateway gateway = gateway(FREE, nobodysPort(), saying("b").port());
    RawHttp client = closing(gateway.connect());
    assertThat(ask(client, 10)).containsOnly("b");
    String failures = "quotatree_upstream_failures_total{kind=\"connect\",upstream=\"orders\"}";
    String out = "quotatree_upstream_targets_out{upstream=\"orders\"}";
    assertThat(metric(gateway, failures)).isEqualTo("1.0");
    assertThat(metric(gateway, "quotatree_upstream_retries_total{upstream=\"orders\"}"))
        .isEqualTo("1.0");
    assertThat(metric(gateway, out)).isEqualTo("1.0");
    clock.advance(Duration.ofSeconds(9));
    assertThat(ask(client, 10)).containsOnly("b");
    assertThat(metric(gateway, failures)).as("left alone for ten seconds").isEqualTo("1.0");
    clock.advance(Duration.ofSeconds(1));
    assertThat(ask(client, 10)).containsOnly("b");
    assertThat(metric(gateway, failures)).as("then tried once").isEqualTo("2.0");
  }

  @Test
  void one_that_works_again_takes_its_turns_again() {
    Moody moody = closing(new Moody());
    RunningGateway gateway = gateway(FREE, moody.port(), saying("b").port());
    RawHttp client = closing(gateway.connect());
    assertThat(ask(client, 4)).containsOnly("b");
    assertThat(moody.came).hasValue(1);
    moody.broken = false;
    clock.advance(Duration.ofSeconds(10));
    assertThat(ask(client, 10)).contains("moody", "b");
    assertThat(ask(client, 4)).containsExactlyInAnyOrder("moody", "b", "moody", "b");
    assertThat(metric(gateway, "quotatree_upstream_targets_out{upstream=\"orders\"}"))
        .isEqualTo("0.0");
  }

  @Test
  void where_all_fail_they_are_still_tried() {
    Moody one = closing(new Moody());
    Moody two = closing(new Moody());
    RunningGateway gateway = gateway(FREE, one.port(), two.port());
    RawHttp client = closing(gateway.connect());
    assertThat(ask(client, 5)).containsOnly("502");
    one.broken = false;
    two.broken = false;
    assertThat(ask(client, 1)).containsExactly("moody");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "DELETE"})
  void what_may_be_done_twice_is_tried_again_elsewhere(String method) {
    Moody moody = closing(new Moody());
    RunningGateway gateway = gateway(FREE, moody.port(), saying("b").port());
    RawHttp client = closing(gateway.connect());
    assertThat(client.ask(method, "/").status()).isEqualTo(200);
    assertThat(moody.came).hasValue(1);
  }

  @Test
  void what_may_not_be_done_twice_is_not_once_a_target_has_it() {
    Moody moody = closing(new Moody());
    TestUpstream other = saying("b");
    RunningGateway gateway = gateway(FREE, moody.port(), other.port());
    RawHttp client = closing(gateway.connect());
    assertThat(client.ask("POST", "/", "Content-Length: 0").status()).isEqualTo(502);
    assertThat(moody.came).hasValue(1);
    assertThat(other.requests).hasValue(0);
  }

  @Test
  void what_no_target_has_got_is_tried_again_whatever_it_is_with_its_body() {
    TestUpstream echo = closing(TestUpstream.echo());
    RunningGateway gateway = gateway(FREE, nobodysPort(), echo.port());
    RawHttp client = closing(gateway.connect());
    client.sendHead("POST", "/", "Content-Length: 4", "Expect: 100-continue");
    assertThat(client.head().status()).isEqualTo(100);
    RawHttp.Reply reply = client.send("body").reply();
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).contains("\"body\":\"body\"");
  }

  @Test
  void a_body_that_has_begun_to_leave_is_not_sent_twice() {
    RawUpstream half =
        closing(
            new RawUpstream(
                connection -> {
                  connection.readHead();
                  connection.in().read();
                }));
    TestUpstream other = saying("b");
    RunningGateway gateway = gateway(FREE, half.port(), other.port());
    RawHttp client = closing(gateway.connect());
    client.sendHead("PUT", "/", "Content-Length: 4").send("body");
    assertThat(client.reply().status()).isEqualTo(502);
    assertThat(other.requests).hasValue(0);
  }

  @Test
  void half_an_answer_is_not_followed_by_another_one() {
    RawUpstream half =
        closing(
            new RawUpstream(
                connection -> {
                  connection.readHead();
                  connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
                }));
    TestUpstream other = saying("b");
    RunningGateway gateway = gateway(FREE, half.port(), other.port());
    RawHttp client = closing(gateway.connect());
    assertThat(client.sendHead("GET", "/").head().status()).isEqualTo(200);
    for (int i = 0; i < 4; i++) {
      assertThat(client.ended()).isFalse();
    }
    assertThat(client.ended()).isTrue();
    assertThat(other.requests).hasValue(0);
  }

  @Test
  void one_that_stays_silent_is_left_out_but_its_request_goes_to_nobody_else() {
    RawUpstream silent =
        closing(
            new RawUpstream(
                connection -> {
                  while (connection.in().read() >= 0) {
                    // Reads all and says nothing, until the gateway hangs up.
                  }
                }));
    TestUpstream other = saying("b");
    RunningGateway gateway =
        closing(
            RunningGateway.of(FREE)
                .to(Duration.ofMillis(100), silent.port(), other.port())
                .watchedBy(clock)
                .start());
    RawHttp client = closing(gateway.connect());
    assertThat(ask(client, 5)).containsExactly("504", "b", "b", "b", "b");
  }

  @Test
  void a_target_that_stands_alone_is_never_left_out_and_gets_a_second_try() {
    Moody moody = closing(new Moody());
    RunningGateway gateway = gateway(FREE, moody.port());
    RawHttp client = closing(gateway.connect());
    assertThat(ask(client, 3)).containsOnly("502");
    assertThat(moody.came).hasValue(6);
    moody.broken = false;
    assertThat(ask(client, 3)).containsOnly("moody");
  }

  @Test
  void B54_a_request_that_is_tried_three_times_is_charged_once_and_holds_one_permit() {
    Moody one = closing(new Moody());
    Moody two = closing(new Moody());
    RunningGateway gateway =
        gateway(
            FREE.withCaller(callers(withConcurrency(window(10, MINUTE)))),
            one.port(),
            two.port(),
            saying("c").port());
    RawHttp client = closing(gateway.connect());
    RawHttp.Reply reply = client.ask("GET", "/");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("c");
    assertThat(one.came.get() + two.came.get()).isEqualTo(2);
    assertThat(reply.field("x-ratelimit-remaining")).isEqualTo("9");
    assertThat(client.ask("GET", "/").field("x-ratelimit-remaining")).isEqualTo("8");
  }

  private static Quota withConcurrency(Quota quota) {
    return quota.withConcurrency(1);
  }
}
