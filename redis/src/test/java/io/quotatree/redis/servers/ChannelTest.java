package io.quotatree.redis.servers;

import static io.quotatree.redis.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.quotatree.testkit.store.RedisCluster;
import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is heard on a channel of a real store. */
final class ChannelTest {

  private static final String NAME = "qt:1:{node}:forgettings";
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final AtomicInteger news = new AtomicInteger();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(Channel.class);
  }

  @BeforeEach
  void listenToTheLog() {
    log.start();
    logger().addAppender(log);
  }

  @AfterEach
  void stop() {
    logger().detachAppender(log);
    timer.shutdownNow();
  }

  private List<String> warnings() {
    return List.copyOf(log.list).stream()
        .filter(event -> event.getLevel().toString().equals("WARN"))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  private Store listening(Address address) {
    Store store = new Connecting(PATIENCE, null, null, null, null, null, 100).store(address, timer);
    assertThat(store.connect().join()).isTrue();
    store.listen(NAME.getBytes(StandardCharsets.UTF_8), news::incrementAndGet);
    return store;
  }

  private static Object subscribers(RedisConnection operator) {
    return operator.list("PUBSUB", "NUMSUB", NAME).get(1);
  }

  /** Who listens anew looks: what was said before is lost. */
  private void begun(RedisConnection operator) {
    eventually("it listens", () -> Long.valueOf(1).equals(subscribers(operator)));
    eventually("it looks", () -> news.get() > 0);
  }

  private void isHeardFrom(RedisConnection operator) {
    int before = news.get();
    Object unused = operator.ask("PUBLISH", NAME, "anything");
    eventually("it is heard", () -> news.get() > before);
  }

  @Test
  void whatever_is_said_is_heard_and_after_the_connection_was_lost_too() {
    try (RedisServer server = RedisServer.start();
        RedisConnection operator = server.connection();
        Store store = listening(Address.of(server.uri()))) {
      begun(operator);
      isHeardFrom(operator);
      int before = news.get();
      assertThat(operator.ask("CLIENT", "KILL", "TYPE", "pubsub")).isEqualTo(1L);
      eventually("it looks at what was lost meanwhile", () -> news.get() > before);
      isHeardFrom(operator);
      assertThat(store.isConnected()).isTrue();
    }
    assertThat(warnings()).isEmpty();
  }

  @Test
  void whatever_is_said_at_one_server_of_a_cluster_is_heard_at_each() {
    try (RedisCluster cluster = RedisCluster.start(3);
        Store store = listening(Address.cluster(cluster.uris()))) {
      eventually("it looks", () -> news.get() > 0);
      for (RedisServer master : cluster.masters()) {
        try (RedisConnection operator = master.connection()) {
          isHeardFrom(operator);
        }
      }
      assertThat(store.isSpread()).isTrue();
    }
  }

  @Test
  void a_flood_of_messages_is_told_and_not_listened_to() {
    try (RedisServer server = RedisServer.start();
        RedisConnection operator = server.connection();
        Store store = listening(Address.of(server.uri()))) {
      begun(operator);
      String flood =
          "for i = 1, " + 10 * Channel.FLOOD + " do redis.call('PUBLISH', '" + NAME + "', i) end";
      int before = news.get();
      Object unused = operator.ask("EVAL", flood, "0");
      eventually("it listens no more", () -> Long.valueOf(0).equals(subscribers(operator)));
      assertThat(warnings()).singleElement().asString().contains(NAME, "for a minute");
      // As many messages as in two seconds, and some slow ones: never one for each.
      assertThat(news.get() - before).isLessThan(Channel.FLOOD / 10);
      assertThat(store.isConnected()).isTrue();
    }
  }
}
