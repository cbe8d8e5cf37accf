package io.quotatree.redis;

import static io.quotatree.redis.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A gateway that may not listen on the channel of its store. */
final class ForbiddenChannelTest {

  private static final String NAME = "qt:1:{node}:forgettings";
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.quotatree.redis.servers");
  private final AtomicInteger news = new AtomicInteger();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void listenToTheLog() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(log);
  }

  private List<String> warnings() {
    return List.copyOf(log.list).stream()
        .filter(event -> event.getLevel().toString().equals("WARN"))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Test
  void where_the_channel_is_forbidden_that_is_told_once_and_the_store_is_used_all_the_same() {
    try (RedisServer server = RedisServer.start();
        RedisConnection operator = server.connection()) {
      Object unused =
          operator.ask(
              "ACL", "SETUSER", "gate", "on", ">sesame", "~qt:*", "resetchannels", "+@all");
      try (RedisLedger ledger =
          RedisLedger.builder()
              .uri(server.uri())
              .user("gate", "sesame".toCharArray())
              .callTimeout(PATIENCE)
              .connectTimeout(PATIENCE)
              .open()) {
        ledger.whenChanged(news::incrementAndGet);
        eventually("it is told", () -> !warnings().isEmpty());
        assertThat(warnings()).singleElement().asString().contains("`&" + NAME + "`");
        int before = news.get();
        ledger.forgettings().tellAll().join();
        eventually("it is found out", () -> news.get() > before);
        assertThat(IntStream.range(0, 3).mapToObj(i -> ledger.state())).containsOnly(StoreState.UP);
      }
      assertThat(server.keysWithoutEnd()).isEmpty();
    }
  }
}
