package io.quotatree.http;

import static io.quotatree.http.TestLimits.HOUR;
import static io.quotatree.http.TestLimits.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.ReplyStyle;
import io.quotatree.core.policy.ReplyStyle.Disclosure;
import io.quotatree.core.policy.ReplyStyle.Fields;
import io.quotatree.core.policy.ReplyStyle.Keys;
import io.quotatree.core.policy.ReplyStyle.Spread;
import io.quotatree.core.policy.Request;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From headers to a decision, and from a decision to an answer, on the real limiter. */
final class DecidedRequestsTest {

  private static final Request REQUEST = Request.of("app-a", "u1", "GET", "/orders");
  private static final QuotaReplies EXACT = replies(Disclosure.OWN);

  private static final IdentityReader READER =
      new IdentityReader(
          new IdentityConfig(
              List.of(IdentitySource.parse("header:X-Tenant-Id")),
              List.of(IdentitySource.parse("header:X-User-Id")),
              List.of(),
              List.of(),
              List.of(AddressBlock.parse("10.0.0.1"))));

  private static QuotaReplies replies(Disclosure disclosure) {
    return new QuotaReplies(
        new ReplyStyle("no", Fields.BOTH, Keys.SHOWN, disclosure, Spread.EXACT));
  }

  private static Optional<String> value(List<HeaderField> fields, String name) {
    return fields.stream().filter(f -> f.name().equals(name)).map(HeaderField::value).findFirst();
  }

  private static Answer refuse(TestGateway gateway, Request request) {
    return EXACT.refuse(gateway.decide(request), "r", gateway.wallMicros());
  }

  private static Request from(String peer, String... headers) {
    return READER.read(TestHeaders.of(headers), peer).request("GET", "/");
  }

  @ParameterizedTest
  @EnumSource(AlgorithmName.class)
  void B57_whoever_waits_for_Retry_After_is_allowed_and_waits_no_second_too_long(
      AlgorithmName algorithm) {
    Random random = new Random(20_260_104);
    for (int round = 0; round < 200; round++) {
      Rate rate = Rate.of(1 + random.nextInt(20), 100_000L * (1 + random.nextInt(1_200)));
      TestGateway gateway =
          TestGateway.of(TestGateway.users(Quota.of(RateLimit.of(algorithm, rate))));
      gateway.ticker().advance(Duration.ofMillis(random.nextInt(1_000_000)));
      Decision decision = gateway.decide(REQUEST);
      while (decision.allowed()) {
        gateway.ticker().advance(Duration.ofNanos(1_000L * random.nextInt(2_000)));
        decision = gateway.decide(REQUEST);
      }
      Answer answer = EXACT.refuse(decision, "r" + round, gateway.wallMicros());
      long seconds = Long.parseLong(value(answer.fields(), "Retry-After").orElseThrow());
      assertThat(seconds * 1_000_000 - decision.retryAfter().micros())
          .as("%s %s", algorithm, rate.text())
          .isBetween(0L, 999_999L);
      gateway.ticker().advance(Duration.ofSeconds(seconds));
      assertThat(gateway.decide(REQUEST).allowed()).as("%s %s", algorithm, rate.text()).isTrue();
    }
  }

  @Test
  void B58_an_exhausted_hour_is_told_though_the_minute_has_room() {
    TestGateway gateway = gatewayOfAMinuteAndAnHour();
    gateway.ticker().advance(Duration.ofMinutes(8));
    gateway.allow(REQUEST, 60);
    gateway.ticker().advance(Duration.ofMinutes(1));
    gateway.allow(REQUEST, 37);
    gateway.ticker().advance(Duration.ofMinutes(1));
    gateway.allow(REQUEST, 3);
    Answer answer = refuse(gateway, REQUEST);
    assertHourIsTold(answer, 3_000);
    assertThat(value(answer.fields(), "RateLimit")).contains("\"user-1h\";r=0;t=3000");
  }

  @Test
  void B58_the_hour_is_told_where_both_are_exhausted() {
    TestGateway gateway = gatewayOfAMinuteAndAnHour();
    gateway.ticker().advance(Duration.ofMinutes(8));
    gateway.allow(REQUEST, 40);
    gateway.ticker().advance(Duration.ofSeconds(100));
    gateway.allow(REQUEST, 60);
    Answer answer = refuse(gateway, REQUEST);
    assertHourIsTold(answer, 3_020);
    assertThat(value(answer.fields(), "RateLimit"))
        .contains("\"user-1min\";r=0;t=20, \"user-1h\";r=0;t=3020");
  }

  @Test
  void B58_an_allowed_answer_tells_the_limit_that_is_nearest_to_refusal() {
    TestGateway gateway = gatewayOfAMinuteAndAnHour();
    gateway.allow(REQUEST, 57);
    List<HeaderField> fields = EXACT.allow(gateway.decide(REQUEST), gateway.wallMicros());
    assertThat(value(fields, "RateLimit")).contains("\"user-1min\";r=2;t=60");
    gateway.ticker().advance(Duration.ofMinutes(1));
    fields = EXACT.allow(gateway.decide(REQUEST), gateway.wallMicros());
    assertThat(value(fields, "RateLimit")).contains("\"user-1h\";r=41;t=3540");
  }

  private static TestGateway gatewayOfAMinuteAndAnHour() {
    return TestGateway.of(
        TestGateway.users(Quota.of(TestGateway.window(60, MINUTE), TestGateway.window(100, HOUR))));
  }

  private static void assertHourIsTold(Answer answer, long seconds) {
    assertThat(answer.status()).isEqualTo(429);
    assertThat(value(answer.fields(), "Retry-After")).contains(Long.toString(seconds));
    assertThat(value(answer.fields(), "X-RateLimit-Limit")).contains("100");
    assertThat(value(answer.fields(), "X-RateLimit-Remaining")).contains("0");
    assertThat(value(answer.fields(), "X-RateLimit-Reset")).contains("1767229200");
    assertThat(value(answer.fields(), "X-RateLimit-Key")).contains("user:app-a/u1");
  }

  @Test
  void the_node_s_quota_is_disclosed_to_allowed_requests_only_on_demand() {
    QuotaTree tree =
        QuotaTree.empty()
            .withNode(
                new io.quotatree.core.policy.NodeLines(
                    TestGateway.bucket(2, MINUTE), null, List.of()))
            .withCaller(new CallerLines(TestGateway.bucket(100, MINUTE), List.of()));
    Decision decision = TestGateway.of(tree).decide(REQUEST);
    assertThat(value(replies(Disclosure.OWN).allow(decision, 0), "X-RateLimit-Scope"))
        .contains("caller");
    assertThat(value(replies(Disclosure.ALL).allow(decision, 0), "X-RateLimit-Scope"))
        .contains("node");
    assertThat(replies(Disclosure.NONE).allow(decision, 0)).isEmpty();
  }

  @Test
  void an_allowed_request_cannot_be_answered_with_a_429() {
    Decision allowed = TestGateway.of(QuotaTree.empty()).decide(REQUEST);
    assertThatThrownBy(() -> EXACT.refuse(allowed, "r", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("allowed");
  }

  @Test
  void B43_made_up_addresses_win_nothing() {
    TestGateway gateway = TestGateway.of(TestGateway.users(TestGateway.bucket(5, MINUTE)));
    assertThat(
            gateway.allowed(
                IntStream.range(0, 20)
                    .mapToObj(i -> from("198.51.100.4", "X-Forwarded-For", "203.0.113." + i))
                    .toList()))
        .isEqualTo(5);
    assertThat(
            gateway.allowed(
                IntStream.range(0, 20)
                    .mapToObj(
                        i -> from("10.0.0.1", "X-Forwarded-For", "203.0.113." + i + ", 192.0.2.7"))
                    .toList()))
        .isEqualTo(5);
  }

  @Test
  void B45_a_slash_64_is_one_client_and_a_mapped_address_the_ipv4_one() {
    TestGateway gateway = TestGateway.of(TestGateway.users(TestGateway.bucket(5, MINUTE)));
    assertThat(
            gateway.allowed(
                IntStream.range(0, 100)
                    .mapToObj(i -> from("2001:db8:1:2:" + Integer.toHexString(i) + "::1"))
                    .toList()))
        .isEqualTo(5);
    assertThat(
            gateway.allowed(
                Stream.of("::ffff:192.0.2.1", "::ffff:c000:201", "192.0.2.1")
                    .flatMap(peer -> Stream.of(from(peer), from(peer), from(peer)))
                    .toList()))
        .isEqualTo(5);
    assertThat(gateway.decide(from("::ffff:192.0.2.2")).allowed()).isTrue();
    assertThat(gateway.decide(from("fe80::1%eth0")).allowed()).isTrue();
  }

  @Test
  void B46_identities_that_would_glue_together_have_counters_of_their_own() {
    TestGateway gateway = TestGateway.of(TestGateway.users(TestGateway.bucket(2, MINUTE)));
    List<Request> requests =
        Stream.of(
                new String[] {"a:b", "c"},
                new String[] {"a", "b:c"},
                new String[] {"a/b", "c"},
                new String[] {"a", "b/c"},
                new String[] {"{x}", "u"},
                new String[] {"x", "u"},
                new String[] {"t", "192.0.2.1"},
                new String[] {"t", "*"},
                new String[] {"t", "\u00c3\u00a9"},
                new String[] {"t", "e\u00cc\u0081"},
                new String[] {"t", "\u00f0\u009f\u0098\u0080"},
                new String[] {"t", "anonymous"},
                new String[] {"t", "%61nonymous"},
                new String[] {"t", "a b"},
                new String[] {"t", ""})
            .map(id -> from("10.0.0.1", "X-Tenant-Id", id[0], "X-User-Id", id[1]))
            .toList();
    for (Request request : requests) {
      assertThat(gateway.allowed(List.of(request, request, request)))
          .as("%s / %s", request.caller(), request.user())
          .isEqualTo(2);
    }
  }

  @Test
  void B48_a_stranger_uses_up_no_tenant_s_quota() {
    QuotaTree tree =
        QuotaTree.empty().withCaller(new CallerLines(TestGateway.bucket(120, MINUTE), List.of()));
    TestGateway gateway = TestGateway.of(tree);
    assertThat(
            gateway.allowed(
                IntStream.range(0, 150)
                    .mapToObj(i -> from("198.51.100.4", "X-Tenant-Id", "victim"))
                    .toList()))
        .isEqualTo(120);
    assertThat(gateway.decide(from("10.0.0.1", "X-Tenant-Id", "victim")).toldOwn())
        .hasValueSatisfying(told -> assertThat(told.remainingPermits()).isEqualTo(119));
  }
}
