package io.quotatree.redis;

import static io.quotatree.redis.Eventually.eventually;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.node;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.memo.RememberingLedger;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.overlay.OverrideStoreException;
import io.quotatree.core.time.ManualTicker;
import io.quotatree.redis.fleet.Fleet;
import io.quotatree.testkit.store.FaultProxy;
import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What two gateways remember of refusals, and what they tell each other to forget, in a real store.
 * The clock by which they remember stands still unless a test moves it.
 */
final class ForgettingsTest {

  private static final QuotaTree TWO = tree(caller(Quota.of(slidingLog("2/year"))));
  private static final Request REQUEST = Request.of("app", "u1", "GET", "/x");
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String KEY = "qt:1:{node}:forgettings";

  private static RedisServer server;

  private final ManualTicker ticker = new ManualTicker(Instant.parse("2026-01-01T00:00:00Z"));
  private final FaultProxy proxy = proxied();
  private final RedisLedger one = direct();
  private final RedisLedger two = open(proxy.uri());
  private final RememberingLedger memory = two.remembering(ticker);
  private final Limiter first = limiter(one, TWO);
  private final Limiter second = limiter(memory, TWO);
  private final Decision decision = new Decision();

  private static FaultProxy proxied() {
    return FaultProxy.before(server.port());
  }

  private static RedisLedger direct() {
    return open(server.uri());
  }

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static RedisLedger open(String uri) {
    return RedisLedger.builder().uri(uri).callTimeout(PATIENCE).connectTimeout(PATIENCE).open();
  }

  private Limiter limiter(Ledger ledger, QuotaTree quotas) {
    return new Limiter(Policy.compile(quotas, "gw"), ledger, ticker);
  }

  /** Both have brought their quotas, which is forgotten for too. */
  @BeforeEach
  void settle() {
    Decision unused = new Decision();
    first.decide(Request.of("another", "u", "GET", "/x"), unused);
    second.decide(Request.of("another", "u", "GET", "/x"), unused);
    look();
  }

  @AfterEach
  void end() {
    one.close();
    two.close();
    proxy.close();
    assertThat(server.keysWithoutEnd()).isEmpty();
    operator("FLUSHALL");
  }

  private static void operator(String... command) {
    try (RedisConnection operator = server.connection()) {
      Object unused = operator.ask(command);
    }
  }

  /** What the second gateway does by itself each second. */
  private void look() {
    two.forgettings().announce(Fleet.HOLD_MICROS).toCompletableFuture().join();
  }

  private boolean allows(Limiter limiter) {
    limiter.decide(REQUEST, decision);
    assertThat(decision.outcome()).isNotEqualTo(Outcome.UNAVAILABLE);
    return decision.allowed();
  }

  /** Whether the second gateway refuses without asking. */
  private boolean isRemembered() {
    long before = memory.told();
    second.decide(REQUEST, decision);
    return memory.told() > before;
  }

  private void useUp() {
    assertThat(allows(first)).isTrue();
    assertThat(allows(second)).isTrue();
    assertThat(allows(second)).isFalse();
    assertThat(isRemembered()).isTrue();
  }

  @Test
  void a_refused_subject_costs_no_question_while_each_second_somebody_looks() {
    useUp();
    long waitMicros = decision.retryAfter().micros();
    for (int i = 1; i <= 20; i++) {
      ticker.advance(Duration.ofMillis(900));
      look();
      assertThat(isRemembered()).isTrue();
      assertThat(decision.retryAfter().micros()).isEqualTo(waitMicros - 900_000L * i);
    }
  }

  @Test
  void what_is_emptied_at_one_gateway_the_other_forgets_without_being_asked() {
    useUp();
    assertThat(first.reset(Layer.CALLER, "app")).isEqualTo(1);
    eventually("it is forgotten", () -> allows(second));
  }

  @Test
  void where_the_message_is_lost_the_next_look_finds_it() {
    proxy.use(FaultProxy.Way.LOSE_MESSAGES);
    useUp();
    assertThat(first.reset(Layer.CALLER, "app")).isEqualTo(1);
    look();
    assertThat(allows(second)).isTrue();
  }

  @Test
  void while_nobody_can_look_nothing_is_told_that_is_older_than_a_second() {
    useUp();
    look();
    proxy.use(FaultProxy.Way.BLACK_HOLE);
    ticker.advance(Duration.ofMillis(999));
    assertThat(isRemembered()).isTrue();
    ticker.advance(Duration.ofMillis(1));
    // Whatever comes of it, the store is asked.
    assertThat(second.decide(REQUEST, new Decision(), () -> {})).isFalse();
  }

  @Test
  void after_a_while_without_a_look_all_is_asked_again() {
    useUp();
    ticker.advance(Duration.ofMillis(2_001));
    look();
    assertThat(isRemembered()).isFalse();
    assertThat(decision.allowed()).isFalse();
    assertThat(isRemembered()).isTrue();
  }

  @Test
  void a_refund_at_one_gateway_frees_what_the_other_remembers() {
    Decision refunded = new Decision();
    first.decide(REQUEST, refunded);
    assertThat(allows(second)).isTrue();
    assertThat(allows(second)).isFalse();
    assertThat(isRemembered()).isTrue();
    assertThat(first.refund(refunded)).isTrue();
    eventually("it is forgotten", () -> allows(second));
  }

  @Test
  void while_refunds_are_expected_only_what_none_can_free_is_remembered_for_more_than_a_second() {
    Decision refunded = new Decision();
    first.decide(REQUEST, refunded);
    assertThat(first.refund(refunded)).isTrue();
    // Where it was told, it is expected; looking tells the rest.
    eventually("refunds are expected", this::isRefunding);
    Limiter nodes = limiter(memory, tree(node(Quota.of(slidingLog("1/year")))));
    assertThat(allows(nodes)).isTrue();
    look();
    assertThat(allows(nodes)).isFalse();
    useUp();
    ticker.advance(Duration.ofMillis(999));
    look();
    assertThat(isRemembered()).isTrue();
    ticker.advance(Duration.ofMillis(1));
    assertThat(isRemembered()).isFalse();
    long before = memory.told();
    assertThat(allows(nodes)).isFalse();
    assertThat(memory.told()).isEqualTo(before + 1);
  }

  private boolean isRefunding() {
    try (RedisConnection operator = server.connection()) {
      return !String.valueOf(operator.ask("GET", KEY)).endsWith(" 0");
    }
  }

  @Test
  void other_quotas_at_one_gateway_make_the_other_ask_again() {
    useUp();
    first.use(Policy.compile(tree(caller(Quota.of(slidingLog("3/year")))), "gw"));
    eventually("it asks", () -> !isRemembered());
  }

  @Test
  void overrides_that_are_replaced_at_one_gateway_are_looked_at_by_the_other()
      throws OverrideStoreException {
    AtomicBoolean changed = new AtomicBoolean();
    two.whenChanged(() -> changed.set(true));
    useUp();
    assertThat(one.overrides().replace(0, List.of())).isPresent();
    eventually("it is told", changed::get);
    assertThat(isRemembered()).isFalse();
  }

  @Test
  void of_two_gateways_one_is_the_first_to_say_something() throws OverrideStoreException {
    // By the store's clock, which is the system's.
    Instant tomorrow = Instant.parse("2100-01-01T00:00:00Z");
    assertThat(one.overrides().isFirst("something", tomorrow)).isTrue();
    assertThat(two.overrides().isFirst("something", tomorrow)).isFalse();
    assertThat(two.overrides().isFirst("something else", tomorrow)).isTrue();
  }

  @Test
  void a_store_that_lost_its_data_is_asked_again() {
    useUp();
    operator("FLUSHALL");
    look();
    assertThat(allows(second)).isTrue();
  }

  @Test
  void what_else_stands_where_the_number_is_means_that_all_is_forgotten() {
    useUp();
    for (String planted : List.of("garbage", "9007199254740993 0", "-1 0", "1e300 1", "5 9e300")) {
      operator("SET", KEY, planted);
      look();
      assertThat(isRemembered()).as(planted).isFalse();
      assertThat(isRemembered()).as(planted).isTrue();
      assertThat(first.reset(Layer.CALLER, "nobody")).isZero();
      look();
      assertThat(isRemembered()).as("a reset after %s", planted).isFalse();
    }
    // In one step: a gateway that looks meanwhile writes a number where there is none.
    operator("LPUSH", KEY + "-list", "a", "list");
    operator("RENAME", KEY + "-list", KEY);
    look();
    assertThat(isRemembered()).isFalse();
  }

  @Test
  void messages_that_mean_nothing_cost_nothing_that_is_remembered() {
    useUp();
    for (int i = 0; i < 100; i++) {
      operator("PUBLISH", KEY, i % 2 == 0 ? "17" : "\0\r\n forget all");
    }
    look();
    assertThat(isRemembered()).isTrue();
  }

  @Test
  void what_was_asked_before_a_forgetting_is_not_remembered_past_it() {
    assertThat(allows(first)).isTrue();
    assertThat(allows(first)).isTrue();
    Decision late = new Decision();
    AtomicBoolean answered = new AtomicBoolean();
    server.freeze();
    try {
      assertThat(second.decide(REQUEST, late, () -> answered.set(true))).isFalse();
      memory.forget();
    } finally {
      server.thaw();
    }
    eventually("the answer comes", answered::get);
    assertThat(late.allowed()).isFalse();
    assertThat(isRemembered()).isFalse();
  }
}
