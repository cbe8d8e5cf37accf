package io.quotatree.http;

import static io.quotatree.http.TestLimits.MINUTE;
import static io.quotatree.http.TestLimits.blocked;
import static io.quotatree.http.TestLimits.rate;
import static io.quotatree.http.TestLimits.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Wait;
import io.quotatree.core.policy.ReplyStyle;
import io.quotatree.core.policy.ReplyStyle.Disclosure;
import io.quotatree.core.policy.ReplyStyle.Fields;
import io.quotatree.core.policy.ReplyStyle.Keys;
import io.quotatree.core.policy.ReplyStyle.Spread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GrpcAnswersTest {

  private static final long NOW = 1_767_225_600_570_000L;

  private static String text(Answer answer) {
    StringBuilder text = new StringBuilder().append(answer.status()).append('\n');
    answer.fields().forEach(f -> text.append(f.name()).append(": ").append(f.value()).append('\n'));
    return text.append(answer.body()).toString();
  }

  private static Answer refuse(Refusal refusal, Spread spread) {
    return new QuotaReplies(
            new ReplyStyle("太快 100%", Fields.BOTH, Keys.HIDDEN, Disclosure.OWN, spread))
        .refuseCall(refusal, "application/grpc+proto", "request-1", NOW);
  }

  @Test
  void B73_a_refusal_is_resource_exhausted_with_its_fields_and_when_to_come_back() {
    Refusal refusal =
        refusal(rate(Layer.USER, "app-a/u1", 10, MINUTE, 0, 59_430_000, 5_430_001, false));
    assertThat(text(refuse(refusal, Spread.EXACT)))
        .isEqualTo(
            """
            200
            RateLimit-Policy: "user";q=10;w=60
            RateLimit: "user";r=0;t=6
            X-RateLimit-Limit: 10
            X-RateLimit-Remaining: 0
            X-RateLimit-Reset: 1767225660
            grpc-retry-pushback-ms: 5431
            Content-Type: application/grpc
            grpc-status: 8
            grpc-message: %E5%A4%AA%E5%BF%AB 100%25
            """);
  }

  @Test
  void the_time_to_come_back_is_spread_as_retry_after_is() {
    Refusal refusal =
        refusal(rate(Layer.USER, "app-a/u1", 10, MINUTE, 0, 59_430_000, 5_430_000, false));
    long millis = RetryAfter.spread(new Wait(5_430_000), "app-a/u1", "request-1").millis();
    assertThat(millis).isBetween(5_430L, 6_431L);
    assertThat(text(refuse(refusal, Spread.SPREAD)))
        .contains("grpc-retry-pushback-ms: " + millis + "\n");
  }

  @Test
  void what_no_wait_helps_is_not_to_be_tried_again() {
    assertThat(text(refuse(refusal(blocked(Layer.CALLER, "a")), Spread.SPREAD)))
        .contains("grpc-retry-pushback-ms: -1\n");
  }

  @ParameterizedTest
  @CsvSource({
    "400, 3", "401, 16", "403, 7", "404, 12", "405, 12", "408, 14", "429, 8", "500, 13", "502, 14",
    "503, 14", "504, 14"
  })
  void B73_problems_have_statuses_of_grpcs_own(int http, String grpc) {
    assertThat(GrpcAnswers.problem("application/grpc", http, "no").fields())
        .contains(new HeaderField("grpc-status", grpc), new HeaderField("grpc-message", "no"));
  }

  @ParameterizedTest
  @CsvSource({
    "application/grpc, application/grpc",
    "application/grpc+proto, application/grpc",
    "Application/GRPC;a=b, application/grpc",
    "application/grpc-web, application/grpc-web",
    "application/grpc-web+proto, application/grpc-web",
    "application/grpc-web-text+proto, application/grpc-web-text"
  })
  void a_call_is_known_by_its_content_type_and_answered_in_it(String asked, String answered) {
    assertThat(GrpcAnswers.isCall(asked)).isTrue();
    assertThat(GrpcAnswers.problem(asked, 502, "no").fields())
        .contains(new HeaderField("Content-Type", answered));
  }

  @ParameterizedTest
  @CsvSource({"application/json", "application/grpcx", "text/plain", "''"})
  void other_requests_are_no_calls(String type) {
    assertThat(GrpcAnswers.isCall(type)).isFalse();
    assertThat(GrpcAnswers.isCall(null)).isFalse();
  }
}
