package io.quotatree.redis;

import static io.quotatree.redis.Eventually.eventually;
import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Trees.api;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Certainty;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.Ticker;
import io.quotatree.testkit.store.RedisCluster;
import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** One master of a real cluster is away, and nobody takes its place. */
final class ServerOfClusterAwayTest {

  private static final String API = "GET /x";

  private static RedisCluster cluster;
  private static RedisServer ofNode;
  private static RedisServer away;

  /** A caller whose counters are at the master that goes away, and one whose are not. */
  private static String goneName;

  private static Request gone;
  private static Request stays;

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final List<RedisLedger> ledgers = new ArrayList<>();

  /** What becomes of a master. */
  private enum Fault {
    FROZEN {
      @Override
      void begin() {
        away.freeze();
      }

      @Override
      void end() {
        away.thaw();
      }
    },
    KILLED {
      @Override
      void begin() {
        away.kill();
      }

      @Override
      void end() {
        away.restart();
      }
    };

    abstract void begin();

    abstract void end();
  }

  @BeforeAll
  static void start() {
    // Else all masters refuse everything as long as one is away.
    cluster = RedisCluster.start(3, "--cluster-require-full-coverage", "no");
    ofNode = at("node");
    away =
        cluster.masters().stream()
            .filter(master -> master != ofNode && master != at(API))
            .findFirst()
            .orElseThrow();
    goneName = name(master -> master == away);
    gone = Request.of(goneName, "u1", "GET", "/x");
    stays = Request.of(name(master -> master != away), "u1", "GET", "/x");
  }

  private static RedisServer at(String tag) {
    return cluster.masterOf(cluster.slotOf("{" + tag + "}"));
  }

  private static String name(Predicate<RedisServer> there) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> "app" + i)
        .filter(name -> there.test(at(name)))
        .findFirst()
        .orElseThrow();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(Breakers.class);
  }

  @BeforeEach
  void listen() {
    log.start();
    logger().addAppender(log);
  }

  @AfterEach
  void end() {
    away.thaw();
    logger().detachAppender(log);
    ledgers.forEach(RedisLedger::close);
    assertThat(cluster.keysWithoutEnd()).isEmpty();
    cluster.askAll("FLUSHALL");
  }

  private RedisLedger ledger() {
    RedisLedger ledger =
        RedisLedger.builder()
            .cluster(cluster.uris())
            .callTimeout(Duration.ofMillis(300))
            .connectTimeout(Duration.ofSeconds(5))
            .local(new MemoryLedger())
            .open();
    ledgers.add(ledger);
    return ledger;
  }

  /** One that has asked all masters. */
  private static Limiter gateway(QuotaTree tree, RedisLedger of) {
    Limiter limiter = new Limiter(Policy.compile(tree, "gw"), of, Ticker.system());
    for (Request request : List.of(gone, stays)) {
      eventually("it is warm", () -> send(limiter, request).certainty() == Certainty.EXACT);
    }
    return limiter;
  }

  private static Decision send(Limiter limiter, Request request) {
    Decision decision = new Decision();
    limiter.decide(request, decision);
    return decision;
  }

  private static long used(Limiter limiter, Layer layer, String subject) {
    return limiter.peek(layer, subject).get(0).usedPermits();
  }

  /** Sends until its caller's master decides; answers how many were allowed. */
  private static int untilAsked(Limiter limiter, Request request) {
    AtomicInteger allowed = new AtomicInteger();
    eventually(
        "its master is asked",
        () -> {
          Decision decision = send(limiter, request);
          allowed.addAndGet(decision.allowed() ? 1 : 0);
          return decision.certainty() == Certainty.EXACT;
        });
    return allowed.get();
  }

  private List<String> lines(Level level) {
    return List.copyOf(log.list).stream()
        .filter(event -> event.getLevel() == level)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void what_needs_a_master_that_is_away_falls_back_and_all_else_stays_exact(Fault fault) {
    RedisLedger ledger = ledger();
    Limiter limiter = gateway(tree(caller(fixedWindow("90/year"))), ledger);
    assertThat(ledger.state()).isEqualTo(StoreState.UP);
    fault.begin();
    List<Decision> ofGone = new ArrayList<>();
    List<Decision> ofOther = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      ofGone.add(send(limiter, gone));
      ofOther.add(send(limiter, stays));
    }
    assertThat(ofOther).extracting(Decision::certainty).containsOnly(Certainty.EXACT);
    assertThat(ofOther.stream().filter(Decision::allowed)).hasSize(89);
    assertThat(ofGone).extracting(Decision::certainty).containsOnly(Certainty.FALLBACK);
    assertThat(ofGone.stream().filter(Decision::allowed)).hasSize(89);
    assertThat(ledger.state()).isEqualTo(StoreState.PARTLY);
    fault.end();
    int after = untilAsked(limiter, gone);
    while (send(limiter, gone).allowed()) {
      after++;
    }
    // What a killed one forgot may be granted once more, and no more than that.
    assertThat(1 + 89 + after).isLessThanOrEqualTo(fault == Fault.KILLED ? 2 * 90 : 90);
    eventually("it is told", () -> ledger.state() == StoreState.UP);
    assertThat(lines(Level.WARN))
        .singleElement()
        .asString()
        .contains("127.0.0.1:" + away.port())
        .contains("on_failure");
    assertThat(lines(Level.INFO)).containsExactly("the store gives answers again");
  }

  @Test
  void a_server_that_is_asked_is_told_what_was_granted_while_another_is_away() {
    QuotaTree tree = tree(caller(fixedWindow("20/year")), api(API, fixedWindow("100/year")));
    Limiter limiter = gateway(tree, ledger());
    Limiter another = gateway(tree, ledger());
    eventually("they know", () -> ledgers.stream().allMatch(ledger -> ledger.gateways() == 2));
    long before = used(another, Layer.API, API);
    away.freeze();
    long granted = IntStream.range(0, 60).filter(i -> send(limiter, gone).allowed()).count();
    assertThat(granted).isBetween(8L, 10L);
    eventually("it knows", () -> used(another, Layer.API, API) == before + granted);
    assertThat(send(another, stays).certainty()).isEqualTo(Certainty.EXACT);
    away.thaw();
    long after = untilAsked(limiter, gone);
    long all = before + granted + 1 + after;
    eventually("nothing is lost or told twice", () -> used(another, Layer.API, API) == all);
  }

  @Test
  void permits_in_flight_are_entered_where_they_can_be_at_once_and_elsewhere_later() {
    Quota three = Quota.of(Allowance.UNLIMITED).withConcurrency(3);
    RedisLedger ledger = ledger();
    Limiter limiter =
        new Limiter(
            Policy.compile(tree(caller(three), api(API, three)), "gw"), ledger, Ticker.system());
    for (Request request : List.of(gone, stays)) {
      eventually(
          "it is warm",
          () -> {
            Decision decision = send(limiter, request);
            limiter.release(decision);
            return decision.certainty() == Certainty.EXACT;
          });
    }
    away.freeze();
    Decision held = send(limiter, gone);
    Receipt kept = limiter.keep(held);
    assertThat(held.certainty()).isEqualTo(Certainty.FALLBACK);
    assertThat(held.allowed()).isTrue();
    eventually("the api's master knows", () -> inFlight(at(API), API, "api") == 1);
    away.thaw();
    eventually("the caller's master knows", () -> inFlight(away, goneName, "caller") == 1);
    limiter.release(kept);
    eventually("it ended there", () -> inFlight(away, goneName, "caller") == 0);
    eventually("and there", () -> inFlight(at(API), API, "api") == 0);
  }

  private static long inFlight(RedisServer server, String tag, String layer) {
    String key = "qt:1:{" + tag + "}:" + layer + ":" + tag + ":concurrency-requests";
    try (RedisConnection connection = server.connection()) {
      return Long.parseLong(String.valueOf(connection.ask("ZCARD", key)));
    }
  }

  @Test
  void masters_that_go_away_one_after_another_are_told_once_as_some_and_once_as_all() {
    RedisLedger ledger = ledger();
    Limiter limiter = gateway(tree(caller(fixedWindow("1000000/year"))), ledger);
    List<String> callers =
        cluster.masters().stream().map(server -> name(master -> master == server)).toList();
    cluster.masters().forEach(RedisServer::freeze);
    try {
      for (String caller : callers) {
        List<Certainty> sure =
            IntStream.range(0, 20)
                .mapToObj(i -> send(limiter, Request.of(caller, "u", "GET", "/x")).certainty())
                .toList();
        assertThat(sure).containsOnly(Certainty.FALLBACK);
      }
      assertThat(ledger.state()).isEqualTo(StoreState.SILENT);
      assertThat(lines(Level.WARN)).hasSize(2);
    } finally {
      cluster.masters().forEach(RedisServer::thaw);
    }
    callers.forEach(caller -> untilAsked(limiter, Request.of(caller, "u", "GET", "/x")));
    eventually("it is told", () -> ledger.state() == StoreState.UP);
    assertThat(lines(Level.WARN)).hasSize(2);
    assertThat(lines(Level.INFO)).last().isEqualTo("the store gives answers again");
  }

  @Test
  void a_question_to_a_master_that_is_away_is_no_refusal() {
    try (RedisLedger alone =
        RedisLedger.builder()
            .cluster(cluster.uris())
            .callTimeout(Duration.ofMillis(300))
            .connectTimeout(Duration.ofSeconds(5))
            .open()) {
      Limiter limiter = gateway(tree(caller(fixedWindow("9/year"))), alone);
      away.freeze();
      assertThat(send(limiter, gone).outcome()).isEqualTo(Outcome.UNAVAILABLE);
      assertThat(send(limiter, stays).outcome()).isEqualTo(Outcome.ALLOWED);
    }
  }
}
