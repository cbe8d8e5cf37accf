package io.quotatree.http;

import static io.quotatree.http.TestLimits.HOUR;
import static io.quotatree.http.TestLimits.MINUTE;
import static io.quotatree.http.TestLimits.SECOND;
import static io.quotatree.http.TestLimits.blocked;
import static io.quotatree.http.TestLimits.inFlight;
import static io.quotatree.http.TestLimits.rate;
import static io.quotatree.http.TestLimits.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Wait;
import io.quotatree.core.policy.ReplyStyle;
import io.quotatree.core.policy.ReplyStyle.Disclosure;
import io.quotatree.core.policy.ReplyStyle.Fields;
import io.quotatree.core.policy.ReplyStyle.Keys;
import io.quotatree.core.policy.ReplyStyle.Spread;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QuotaRepliesTest {

  /** 2026-01-01T00:00:00.57Z. */
  private static final long NOW = 1_767_225_600_570_000L;

  private static final String MESSAGE = "请求过于频繁，请稍后再试";

  /** The refusal of the reference page: 10 a minute used up, the next permit in 5.43 s. */
  private static final LimitState USER =
      rate(Layer.USER, "app-a/u1", 10, MINUTE, 0, 59_430_000, 5_430_000, false);

  private static QuotaReplies replies(Fields fields, Keys keys) {
    return new QuotaReplies(new ReplyStyle(MESSAGE, fields, keys, Disclosure.OWN, Spread.EXACT));
  }

  private static Answer refuse(Refusal refusal) {
    return replies(Fields.BOTH, Keys.SHOWN).refuse(refusal, "request-1", NOW);
  }

  private static String text(Answer answer) {
    StringBuilder text = new StringBuilder().append(answer.status()).append('\n');
    answer.fields().forEach(f -> text.append(f.name()).append(": ").append(f.value()).append('\n'));
    return text.append('\n').append(answer.body()).toString();
  }

  private static Optional<String> value(Answer answer, String name) {
    return value(answer.fields(), name);
  }

  private static Optional<String> value(List<HeaderField> fields, String name) {
    return fields.stream().filter(f -> f.name().equals(name)).map(HeaderField::value).findFirst();
  }

  @Test
  void a_refusal_is_the_one_of_the_reference_page() {
    assertThat(text(refuse(refusal(USER))))
        .isEqualTo(
            """
            429
            Retry-After: 6
            RateLimit-Policy: "user";q=10;w=60
            RateLimit: "user";r=0;t=6
            X-RateLimit-Limit: 10
            X-RateLimit-Remaining: 0
            X-RateLimit-Reset: 1767225660
            X-RateLimit-Scope: user
            X-RateLimit-Key: user:app-a/u1
            Content-Type: application/problem+json

            {"type":"https://iana.org/assignments/http-problem-types#quota-exceeded",\
            "title":"Too Many Requests","status":429,"code":429,\
            "message":"请求过于频繁，请稍后再试","retry_after":6,"layer":"user",\
            "violated-policies":["user"]}""");
  }

  @Test
  void B58_the_fields_describe_the_limit_that_refused_and_list_all_that_would() {
    LimitState minute = rate(Layer.USER, "a/u", 60, MINUTE, 0, 20 * SECOND, 20 * SECOND, true);
    LimitState hour = rate(Layer.USER, "a/u", 100, HOUR, 0, 3_000 * SECOND, 3_000 * SECOND, true);
    Answer one = refuse(refusal(hour));
    Answer both = refuse(refusal(hour, minute, hour));
    for (Answer answer : List.of(one, both)) {
      assertThat(value(answer, "Retry-After")).contains("3000");
      assertThat(value(answer, "X-RateLimit-Limit")).contains("100");
      assertThat(value(answer, "X-RateLimit-Remaining")).contains("0");
      assertThat(value(answer, "X-RateLimit-Reset")).contains("1767228601");
      assertThat(answer.body()).contains("\"retry_after\":3000");
    }
    assertThat(value(one, "RateLimit")).contains("\"user-1h\";r=0;t=3000");
    assertThat(value(both, "RateLimit-Policy"))
        .contains("\"user-1min\";q=60;w=60, \"user-1h\";q=100;w=3600");
    assertThat(value(both, "RateLimit")).contains("\"user-1min\";r=0;t=20, \"user-1h\";r=0;t=3000");
    assertThat(both.body()).endsWith("\"violated-policies\":[\"user-1min\",\"user-1h\"]}");
  }

  @Test
  void the_longest_wait_is_told_though_another_layer_refuses_first() {
    LimitState caller = rate(Layer.CALLER, "a", 2, SECOND, 0, SECOND, 900_000, false);
    LimitState user = rate(Layer.USER, "a/u", 2, MINUTE, 0, MINUTE, 59_900_000, false);
    Answer answer = refuse(refusal(caller, caller, user));
    assertThat(value(answer, "Retry-After")).contains("60");
    assertThat(value(answer, "X-RateLimit-Scope")).contains("caller");
    assertThat(value(answer, "RateLimit")).contains("\"caller\";r=0;t=1, \"user\";r=0;t=60");
    assertThat(answer.body()).contains("\"retry_after\":60,\"layer\":\"caller\"");
  }

  @ParameterizedTest
  @CsvSource({"1500000, 2", "400000, 1", "400, 1", "59999000, 60"})
  void B57_header_and_body_round_up_alike(long waitMicros, String seconds) {
    Answer answer =
        refuse(refusal(rate(Layer.USER, "a/u", 1, MINUTE, 0, MINUTE, waitMicros, false)));
    assertThat(value(answer, "Retry-After")).contains(seconds);
    assertThat(value(answer, "RateLimit").orElseThrow()).endsWith(";t=" + seconds);
    assertThat(answer.body()).contains("\"retry_after\":" + seconds + ",");
  }

  @Test
  void the_spread_moves_the_header_alone() {
    QuotaReplies replies =
        new QuotaReplies(
            new ReplyStyle(MESSAGE, Fields.BOTH, Keys.SHOWN, Disclosure.OWN, Spread.SPREAD));
    LimitState user = rate(Layer.USER, "a/u", 1, HOUR, 0, HOUR, 100 * SECOND, false);
    List<Answer> answers =
        List.of("r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8").stream()
            .map(id -> replies.refuse(refusal(user), id, NOW))
            .toList();
    assertThat(answers.stream().map(a -> value(a, "Retry-After").orElseThrow()).distinct())
        .hasSizeGreaterThan(2)
        .allMatch(seconds -> Long.parseLong(seconds) >= 100 && Long.parseLong(seconds) <= 105);
    assertThat(answers).allMatch(a -> a.body().contains("\"retry_after\":100,"));
    assertThat(answers.stream().map(a -> value(a, "RateLimit")).distinct()).hasSize(1);
    assertThat(answers.stream().map(a -> value(a, "X-RateLimit-Reset")).distinct()).hasSize(1);
  }

  @Test
  void what_can_never_be_granted_has_no_time_to_come_back() {
    LimitState tooDear =
        new LimitState(
            Layer.API,
            "POST /search",
            rate(Layer.API, "x", 3, MINUTE, 0, 0, 0, false).limit(),
            3,
            3,
            3,
            new Wait(0),
            Wait.NEVER,
            USER.origin(),
            false);
    Answer answer = refuse(refusal(tooDear));
    assertThat(value(answer, "Retry-After")).isEmpty();
    assertThat(value(answer, "RateLimit")).contains("\"api\";r=3");
    assertThat(answer.body()).doesNotContain("retry_after").contains("\"layer\":\"api\"");
  }

  @Test
  void a_blocked_quota_has_limit_0_and_no_time_at_all() {
    assertThat(text(refuse(refusal(blocked(Layer.CALLER, "bot")))))
        .startsWith(
            """
            429
            RateLimit-Policy: "caller";q=0
            RateLimit: "caller";r=0
            X-RateLimit-Limit: 0
            X-RateLimit-Remaining: 0
            X-RateLimit-Scope: caller
            X-RateLimit-Key: caller:bot
            Content-Type: application/problem+json
            """);
  }

  @Test
  void requests_in_flight_have_a_unit_and_no_window() {
    Answer answer = refuse(refusal(inFlight(Layer.CALLER, "a", 50, true)));
    assertThat(value(answer, "RateLimit-Policy"))
        .contains("\"caller-concurrency\";q=50;qu=\"concurrent-requests\"");
    assertThat(value(answer, "RateLimit")).contains("\"caller-concurrency\";r=0;t=1");
    assertThat(value(answer, "Retry-After")).contains("1");
  }

  @ParameterizedTest
  @CsvSource({
    "1000, ''",
    "999000, ''",
    "1000000, ;w=1",
    "1500000, ;w=2",
    "31622400000000, ;w=31622400"
  })
  void a_window_is_told_in_seconds_and_not_at_all_under_one(long periodMicros, String window) {
    Answer answer =
        refuse(refusal(rate(Layer.NODE, "node", 7, periodMicros, 0, SECOND, SECOND, false)));
    assertThat(value(answer, "RateLimit-Policy")).contains("\"node\";q=7" + window);
  }

  @Test
  void policies_of_one_name_are_numbered() {
    LimitState user = rate(Layer.USER, "a/u", 10, MINUTE, 0, MINUTE, SECOND, true);
    LimitState writes = rate(Layer.USER, "a/u!writes", 2, MINUTE, 0, MINUTE, SECOND, true);
    Answer answer = refuse(refusal(user, user, writes));
    assertThat(value(answer, "RateLimit"))
        .contains("\"user-1min\";r=0;t=1, \"user-1min-2\";r=0;t=1");
    assertThat(answer.body()).endsWith("[\"user-1min\",\"user-1min-2\"]}");
  }

  @Test
  void a_reset_is_told_in_whole_seconds_rounded_up() {
    LimitState whole = rate(Layer.USER, "a/u", 10, MINUTE, 0, 59_430_000, SECOND, false);
    LimitState over = rate(Layer.USER, "a/u", 10, MINUTE, 0, 59_430_001, SECOND, false);
    assertThat(value(refuse(refusal(whole)), "X-RateLimit-Reset")).contains("1767225660");
    assertThat(value(refuse(refusal(over)), "X-RateLimit-Reset")).contains("1767225661");
  }

  @Test
  void standard_legacy_and_no_fields_are_what_they_say() {
    assertThat(names(replies(Fields.STANDARD, Keys.SHOWN)))
        .containsExactly("Retry-After", "RateLimit-Policy", "RateLimit", "Content-Type");
    assertThat(names(replies(Fields.LEGACY, Keys.SHOWN)))
        .containsExactly(
            "Retry-After",
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            "X-RateLimit-Scope",
            "X-RateLimit-Key",
            "Content-Type");
    assertThat(names(replies(Fields.NONE, Keys.SHOWN)))
        .containsExactly("Retry-After", "Content-Type");
    assertThat(names(replies(Fields.LEGACY, Keys.HIDDEN)))
        .doesNotContain("X-RateLimit-Scope", "X-RateLimit-Key")
        .contains("X-RateLimit-Limit");
  }

  private static List<String> names(QuotaReplies replies) {
    return replies.refuse(refusal(USER), "r", NOW).fields().stream()
        .map(HeaderField::name)
        .toList();
  }

  @Test
  void HEAD_has_the_fields_and_no_body() {
    Answer answer = refuse(refusal(USER));
    assertThat(answer.to("HEAD").body()).isEmpty();
    assertThat(answer.to("HEAD").fields()).isEqualTo(answer.fields());
    assertThat(answer.to("GET")).isSameAs(answer);
  }

  @Test
  void names_and_messages_cannot_break_out_of_header_or_body() {
    LimitState api =
        rate(Layer.API, "GET /订单/\r\nX-Evil: 1|app\u0000", 1, MINUTE, 0, MINUTE, SECOND, false);
    QuotaReplies replies =
        new QuotaReplies(
            new ReplyStyle(
                "\"quoted\" \\ \r\n\u0000 </script>",
                Fields.BOTH,
                Keys.SHOWN,
                Disclosure.OWN,
                Spread.EXACT));
    Answer answer = replies.refuse(refusal(api), "r", NOW);
    assertThat(value(answer, "X-RateLimit-Key"))
        .contains("api:GET /%E8%AE%A2%E5%8D%95/%0D%0AX-Evil: 1|app%00");
    assertThat(answer.body())
        .contains("\"message\":\"\\\"quoted\\\" \\\\ \\r\\n\\u0000 </script>\",");
  }

  @Test
  void an_allowed_answer_tells_the_limit_and_the_seconds_to_its_reset() {
    List<HeaderField> fields =
        replies(Fields.BOTH, Keys.SHOWN)
            .allow(
                Optional.of(rate(Layer.USER, "app-a/u1", 10, MINUTE, 9, 6 * SECOND, 0, false)),
                NOW);
    assertThat(fields)
        .containsExactly(
            new HeaderField("RateLimit-Policy", "\"user\";q=10;w=60"),
            new HeaderField("RateLimit", "\"user\";r=9;t=6"),
            new HeaderField("X-RateLimit-Limit", "10"),
            new HeaderField("X-RateLimit-Remaining", "9"),
            new HeaderField("X-RateLimit-Reset", "1767225607"),
            new HeaderField("X-RateLimit-Scope", "user"),
            new HeaderField("X-RateLimit-Key", "user:app-a/u1"));
  }

  @Test
  void an_allowed_answer_without_a_limit_to_tell_has_no_fields() {
    assertThat(replies(Fields.BOTH, Keys.SHOWN).allow(Optional.empty(), NOW)).isEmpty();
    assertThat(replies(Fields.NONE, Keys.SHOWN).allow(Optional.of(USER), NOW)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "RateLimit, true",
    "ratelimit-policy, true",
    "RateLimit-Remaining, true",
    "X-RateLimit-Limit, true",
    "x-ratelimit-reset-after, true",
    "Retry-After, false",
    "X-Rate-Limit, false",
    "ratelimited, false",
  })
  void an_upstream_s_own_fields_of_these_names_give_way(String name, boolean displaced) {
    assertThat(QuotaReplies.displaces(name)).isEqualTo(displaced);
  }
}
