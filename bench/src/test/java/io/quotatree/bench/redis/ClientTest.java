package io.quotatree.bench.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.bench.load.Names;
import io.quotatree.testkit.store.RedisServer;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each contender decides on a real store, and a wrong answer would end the run. */
final class ClientTest {

  private static final int REQUESTS = 16;
  private static final long DECISIONS = 100;

  private static final List<Names> NAMES =
      IntStream.range(0, REQUESTS)
          .mapToObj(i -> new Names("app-" + i % 3, "u-" + i, Names.path(i), false))
          .toList();

  static Stream<Arguments> contenders() {
    return Stream.of(
        contender("ours", 1, (uri, names) -> Ours.byOne(uri, names, Client.SLOTS)),
        contender("ours by four", 4, (uri, names) -> Ours.byFour(uri, names, Client.SLOTS)),
        contender("bucket4j", 4, Bucket4jOnLettuce::new),
        contender("redisson", 4, RedissonLimiters::new),
        contender("spring", 4, SpringScript::new));
  }

  private static Arguments contender(
      String name, int calls, BiFunction<String, List<Names>, Calls> made) {
    return Arguments.of(name, calls, made);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("contenders")
  void each_contender_decides_one_at_a_time_and_many(
      String name, int perDecision, BiFunction<String, List<Names>, Calls> made) {
    try (RedisServer server = RedisServer.start();
        Calls calls = made.apply(server.uri(), NAMES)) {
      Client client = new Client(name, calls, REQUESTS);

      assertThat(calls.perDecision()).isEqualTo(perDecision);
      for (Way way : Way.values()) {
        assertThat(client.run(way, count -> count < DECISIONS)).isEqualTo(DECISIONS);
      }
      assertThat(server.keys()).hasSizeGreaterThan(2 * REQUESTS);
    }
  }
}
