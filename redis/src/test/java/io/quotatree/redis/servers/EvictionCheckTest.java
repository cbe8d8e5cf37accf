package io.quotatree.redis.servers;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class EvictionCheckTest {

  private final RedisServer server = RedisServer.start();
  private final Logger logger = (Logger) LoggerFactory.getLogger(EvictionCheck.class);
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Store store =
      new Connecting(Duration.ofSeconds(10), null, null, null, null, null, 100)
          .store(Address.of(server.uri()), timer);

  @BeforeEach
  void listen() {
    assertThat(store.connect().join()).isTrue();
    logged.start();
    logger.addAppender(logged);
  }

  @AfterEach
  void end() {
    logger.detachAppender(logged);
    timer.shutdownNow();
    store.close();
    server.close();
  }

  private List<String> looked() {
    new EvictionCheck(store).look().toCompletableFuture().join();
    return logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void a_store_that_throws_counters_away_is_warned_of_at_each_look() {
    assertThat(looked()).isEmpty();
    try (RedisConnection operator = server.connection()) {
      operator.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    }
    assertThat(looked()).singleElement().asString().contains("allkeys-lru", "noeviction");
    assertThat(looked()).hasSize(2);
  }

  @Test
  void nobody_is_told_where_the_gateway_may_not_ask() {
    try (RedisConnection operator = server.connection()) {
      operator.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
      operator.ask("ACL", "SETUSER", "default", "-config");
      assertThat(looked()).isEmpty();
      operator.ask("ACL", "SETUSER", "default", "+config");
    }
  }
}
