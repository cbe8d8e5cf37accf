package io.quotatree.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.quotatree.gateway.server.ListenException;
import io.quotatree.gateway.server.TlsException;
import io.quotatree.testkit.store.RedisServer;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Overrides of two gateways that share a store. */
final class SharedOverridesTest extends OverridesOverHttp {

  @Test
  void what_one_gateway_sets_or_ends_the_others_do_too_without_being_asked()
      throws ListenException, TlsException {
    RedisServer redis = redis();
    FileGateway one = start("one", shared(redis));
    FileGateway two = start("two", shared(redis));
    assertThat(put(one, caller("app-a", "2k/s", "2h")).statusCode()).isEqualTo(200);
    eventually("the other gateway has it", () -> limit(two).equals("2k/s"));
    assertThat(limit(one)).isEqualTo("2k/s");
    assertThat(subjects(two)).containsExactly("app-a");
    assertThat(folder.resolve("data")).doesNotExist();
    assertThat(send(admin(two, "overrides/caller/app-a").DELETE()).statusCode()).isEqualTo(200);
    assertThat(limit(two)).isEqualTo("3/365day");
    eventually("the first one lost it", () -> limit(one).equals("3/365day"));
    assertThat(redis.keys()).doesNotContain("qt:1:{node}:overrides");
  }

  @Test
  void the_end_of_an_override_and_that_it_is_idle_is_told_once_of_two_gateways()
      throws ListenException, TlsException {
    Logger audit = (Logger) LoggerFactory.getLogger("io.quotatree.audit");
    ListAppender<ILoggingEvent> told = new ListAppender<>();
    told.start();
    audit.addAppender(told);
    audit.setLevel(Level.INFO);
    try {
      RedisServer redis = redis();
      FileGateway one = start("one", shared(redis));
      FileGateway two = start("two", shared(redis));
      String api = "{\"layer\":\"api\",\"subject\":\"GET /a\",\"quota\":\"5/s\",\"for\":\"2h\"}";
      put(one, "[" + api + "," + caller("app-a", "blocked", "1s") + "]");
      for (FileGateway gateway : List.of(one, two)) {
        eventually("it has ended", () -> subjects(gateway).equals(List.of("GET /a")));
        gateway.use(file(shared(redis), "{ caller: { default: 100/365day } }"));
      }
      Predicate<String> ended = line -> line.contains("its time is over");
      Predicate<String> idle = line -> line.contains("the file names no such api");
      eventually("both are told", () -> count(told, ended) > 0 && count(told, idle) > 0);
      // Whoever is second to look has looked, once he has seen what is set now.
      put(one, caller("app-b", "blocked", "2h"));
      eventually("the second looked", () -> ask(two, "app-b") == 429);
      assertThat(count(told, ended)).isOne();
      assertThat(count(told, idle)).isOne();
    } finally {
      audit.setLevel(null);
      audit.detachAppender(told);
    }
  }

  private static long count(ListAppender<ILoggingEvent> told, Predicate<String> some) {
    return List.copyOf(told.list).stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(some)
        .count();
  }

  @Test
  void gateways_that_set_overrides_at_once_lose_none() throws ListenException, TlsException {
    RedisServer redis = redis();
    FileGateway one = start("one", shared(redis));
    FileGateway two = start("two", shared(redis));
    List<CompletableFuture<HttpResponse<String>>> sent =
        IntStream.range(0, 10)
            .mapToObj(
                i ->
                    client.sendAsync(
                        putting(i % 2 == 0 ? one : two, caller("app-" + i, "1/s", "2h")).build(),
                        BodyHandlers.ofString()))
            .toList();
    assertThat(sent.stream().map(answer -> answer.join().statusCode())).containsOnly(200);
    assertThat(subjects(one)).hasSize(10).containsExactlyInAnyOrderElementsOf(subjects(two));
  }

  @Test
  void whoever_was_slower_than_another_is_told() throws ListenException, TlsException {
    RedisServer redis = redis();
    FileGateway one = start("one", shared(redis));
    FileGateway two = start("two", shared(redis));
    String before = send(admin(one, "overrides")).headers().firstValue("ETag").orElseThrow();
    HttpResponse<String> first =
        send(putting(two, caller("app-a", "1/s", "2h")).header("If-Match", before));
    assertThat(first.statusCode()).isEqualTo(200);
    HttpResponse<String> second =
        send(putting(one, caller("app-b", "1/s", "2h")).header("If-Match", before));
    assertThat(second.statusCode()).isEqualTo(412);
    assertThat(subjects(one)).containsExactly("app-a");
    String tag = first.headers().firstValue("ETag").orElseThrow();
    HttpResponse<String> ended =
        send(admin(one, "overrides/caller/app-a").header("If-Match", tag).DELETE());
    assertThat(ended.statusCode()).isEqualTo(200);
  }

  @Test
  void while_the_store_is_down_none_is_set_and_those_in_force_stay()
      throws ListenException, TlsException {
    RedisServer redis = redis();
    FileGateway gateway = start("one", shared(redis));
    put(gateway, caller("app-a", "blocked", "2h"));
    redis.kill();
    HttpResponse<String> refused = put(gateway, caller("app-b", "1/s", "2h"));
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    assertThat(ask(gateway, "app-a")).isEqualTo(429);
    assertThat(shown(gateway, "overrides").getString("problem")).contains("the store");
    redis.restart();
  }
}
