package io.quotatree.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Stagger;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.UserLines;
import io.quotatree.core.time.ManualTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What logs and metrics ask of a decision and of the ledger. */
class DecisionFactsTest {

  private static final long MINUTE_MICROS = 60_000_000;
  private static final long FIVE_SECONDS_MICROS = 5_000_000;

  private final ManualTicker ticker = new ManualTicker(Instant.parse("2026-01-01T00:00:00Z"));
  private final MemoryLedger ledger = new MemoryLedger();
  private final Decision decision = new Decision();

  private static Quota window(long permits, long periodMicros) {
    return Quota.of(
        new RateLimit(
            AlgorithmName.FIXED_WINDOW,
            Rate.of(permits, periodMicros),
            permits,
            1,
            Stagger.ALIGNED));
  }

  private Limiter limiter(QuotaTree tree) {
    return new Limiter(Policy.compile(tree, "gateway-01"), ledger, ticker);
  }

  private static QuotaTree callers(Quota quota) {
    return QuotaTree.empty().withCaller(new CallerLines(quota, List.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', 192.0.2.7, anonymous, ip:192.0.2.7",
    "'', '', '', anonymous, ip:-",
    "app a, u/1, '', app%20a, u%2F1",
    "a, anonymous, '', a, %61nonymous",
    "a, ip:192.0.2.7, '', a, ip%3A192.0.2.7"
  })
  void it_names_caller_and_user_as_subjects_do(
      String caller, String user, String address, String callerText, String userText) {
    limiter(callers(window(1, MINUTE_MICROS)))
        .decide(Request.of(caller, user, "GET", "/").withAddress(address), decision);
    assertThat(decision.caller()).isEqualTo(callerText);
    assertThat(decision.user()).isEqualTo(userText);
  }

  @Test
  void a_users_pool_is_named_anonymous() {
    UserLines users =
        new UserLines(
            null,
            null,
            Map.of(),
            new UserLines.Anonymous(Set.of("0"), window(1, MINUTE_MICROS), UserLines.By.POOL));
    limiter(QuotaTree.empty().withUser(users)).decide(Request.of("a", "0", "GET", "/"), decision);
    assertThat(decision.user()).isEqualTo("anonymous");
  }

  @Test
  void it_names_each_layer_that_would_refuse_once_in_order() {
    QuotaTree tree =
        callers(Quota.of(RateLimit.of(AlgorithmName.TOKEN_BUCKET, Rate.of(1, MINUTE_MICROS))))
            .withNode(new NodeLines(window(1, MINUTE_MICROS), window(1, MINUTE_MICROS), List.of()))
            .withUser(
                new UserLines(
                    window(1, MINUTE_MICROS).withEnforcement(Enforcement.SHADOW),
                    null,
                    Map.of(),
                    UserLines.Anonymous.NONE));
    Limiter limiter = limiter(tree);
    limiter.decide(Request.of("a", "u", "GET", "/"), decision);
    assertThat(decision.hitLayers()).isEmpty();
    limiter.decide(Request.of("a", "u", "GET", "/"), decision);
    assertThat(decision.hitLayers()).containsExactly(Layer.NODE, Layer.CALLER);
  }

  @Test
  void of_an_allowed_request_the_layers_of_shadows_are_named() {
    limiter(
            callers(Quota.of(Allowance.BLOCKED).withEnforcement(Enforcement.SHADOW))
                .withNode(new NodeLines(window(1, MINUTE_MICROS), null, List.of())))
        .decide(Request.of("a", "u", "GET", "/"), decision);
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.hitLayers()).containsExactly(Layer.CALLER);
  }

  @Test
  void a_path_that_no_line_fits_has_no_name() {
    Limiter limiter =
        limiter(
            QuotaTree.empty()
                .withApi(
                    new ApiLines(
                        ApiRule.NONE,
                        List.of(new ApiLines.ApiLine("GET /user/{id}", ApiRule.NONE)),
                        List.of())));
    limiter.decide(Request.of("a", "u", "GET", "/user/7"), decision);
    assertThat(decision.isNamedApi()).isTrue();
    assertThat(decision.api()).isEqualTo("GET /user/{id}");
    limiter.decide(Request.of("a", "u", "GET", "/else"), decision);
    assertThat(decision.isNamedApi()).isFalse();
    assertThat(decision.api()).isEqualTo("/**");
  }

  @Test
  void a_blocked_quota_names_its_layer_alone() {
    QuotaTree tree =
        QuotaTree.empty()
            .withNode(new NodeLines(window(1, MINUTE_MICROS), null, List.of()))
            .withCaller(
                new CallerLines(
                    null, List.of(CallerOverride.of("a", Quota.of(Allowance.BLOCKED)))));
    limiter(tree).decide(Request.of("a", "u", "GET", "/"), decision);
    assertThat(decision.hitLayers()).containsExactly(Layer.CALLER);
    assertThat(decision.metWindowStart(FIVE_SECONDS_MICROS)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0, true", "4999, true", "5000, false", "59999, false", "60000, true"})
  void a_window_starts_for_a_while(long millis, boolean starts) {
    Limiter limiter = limiter(callers(window(100, MINUTE_MICROS)));
    ticker.advance(Duration.ofMillis(millis));
    limiter.decide(Request.of("a", "u", "GET", "/"), decision);
    assertThat(decision.metWindowStart(FIVE_SECONDS_MICROS)).isEqualTo(starts);
  }

  @Test
  void a_refusal_is_of_a_windows_start_too() {
    Limiter limiter = limiter(callers(window(1, MINUTE_MICROS)));
    limiter.decide(Request.of("a", "u", "GET", "/"), decision);
    limiter.decide(Request.of("a", "u", "GET", "/"), decision);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.metWindowStart(FIVE_SECONDS_MICROS)).isTrue();
  }

  @Test
  void windows_no_longer_than_their_start_have_none_nor_have_buckets_or_shadows() {
    limiter(callers(window(1, FIVE_SECONDS_MICROS)))
        .decide(Request.of("a", "u", "GET", "/"), decision);
    assertThat(decision.metWindowStart(FIVE_SECONDS_MICROS)).isFalse();
    limiter(callers(Quota.of(RateLimit.of(AlgorithmName.TOKEN_BUCKET, Rate.of(1, MINUTE_MICROS)))))
        .decide(Request.of("a", "u", "GET", "/"), decision);
    assertThat(decision.metWindowStart(FIVE_SECONDS_MICROS)).isFalse();
    limiter(callers(window(1, MINUTE_MICROS).withEnforcement(Enforcement.SHADOW)))
        .decide(Request.of("b", "u", "GET", "/"), decision);
    assertThat(decision.metWindowStart(FIVE_SECONDS_MICROS)).isFalse();
  }

  @Test
  void counters_are_counted_by_layer_as_they_come_and_go() {
    Quota log = Quota.of(RateLimit.of(AlgorithmName.SLIDING_LOG, Rate.of(100_000, MINUTE_MICROS)));
    QuotaTree tree =
        callers(log)
            .withNode(new NodeLines(window(1_000_000, MINUTE_MICROS), null, List.of()))
            .withUser(
                new UserLines(
                    window(1_000, MINUTE_MICROS), null, Map.of(), UserLines.Anonymous.NONE))
            .withApi(
                new ApiLines(
                    ApiRule.NONE,
                    List.of(
                        new ApiLines.ApiLine("/x", ApiRule.of(window(1_000_000, MINUTE_MICROS)))),
                    List.of()));
    Limiter limiter = limiter(tree);
    for (int caller = 0; caller < 10; caller++) {
      for (int user = 0; user < 100; user++) {
        limiter.decide(Request.of("app-" + caller, "u" + user, "GET", "/x"), decision);
      }
    }
    assertThat(ledger.subjects(Layer.NODE)).isEqualTo(1);
    assertThat(ledger.subjects(Layer.CALLER)).isEqualTo(10);
    assertThat(ledger.subjects(Layer.USER)).isEqualTo(1_000);
    assertThat(ledger.subjects(Layer.API)).isEqualTo(1);
    ticker.advance(Duration.ofMinutes(5));
    for (int user = 0; user < 5_000; user++) {
      limiter.decide(Request.of("app-0", "v" + user, "GET", "/y"), decision);
    }
    assertThat(ledger.subjects(Layer.USER)).isBetween(5_000L, 5_999L);
    long sum = 0;
    for (Layer layer : Layer.values()) {
      sum += ledger.subjects(layer);
    }
    assertThat(sum).isEqualTo(ledger.subjects());
  }
}
