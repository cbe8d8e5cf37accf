package io.quotatree.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ReplyStyle;
import io.quotatree.core.policy.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The guide shows what limiter and replies answer, and nothing else. */
final class GuideTest {

  private static final Path GUIDE = Path.of("..", "docs", "guide", "reading-a-429.md");
  private static final Pattern EXAMPLE = Pattern.compile("```http\n(.*?)```", Pattern.DOTALL);
  private static final Request REQUEST = Request.of("app-a", "u1", "GET", "/orders");

  private final QuotaReplies replies = new QuotaReplies(ReplyStyle.DEFAULT);

  @Test
  void every_example_of_the_guide_is_what_is_answered() throws IOException {
    List<String> examples =
        EXAMPLE
            .matcher(Files.readString(GUIDE))
            .results()
            .map((MatchResult example) -> example.group(1))
            .toList();
    assertThat(examples)
        .containsExactly(
            aRefusal(), anAllowedAnswer(), severalLimits(), inFlight(), blocked(), tooDear());
  }

  private String aRefusal() {
    TestGateway gateway = TestGateway.of(TestGateway.users(tenAMinute()));
    gateway.allow(REQUEST, 10);
    gateway.ticker().advance(Duration.ofMillis(570));
    Answer answer = refuse(gateway, REQUEST);
    return head(answer) + "Content-Type: application/problem+json\n\n" + answer.body() + "\n";
  }

  private String anAllowedAnswer() {
    TestGateway gateway = TestGateway.of(TestGateway.users(tenAMinute()));
    return fields(replies.allow(gateway.decide(REQUEST), gateway.wallMicros()));
  }

  private String severalLimits() {
    Quota quota =
        Quota.of(
            TestGateway.window(60, TestLimits.MINUTE), TestGateway.window(100, TestLimits.HOUR));
    TestGateway gateway = TestGateway.of(TestGateway.users(quota));
    gateway.ticker().advance(Duration.ofMinutes(9));
    gateway.allow(REQUEST, 40);
    gateway.ticker().advance(Duration.ofSeconds(100));
    gateway.allow(REQUEST, 60);
    return head(refuse(gateway, REQUEST));
  }

  private String inFlight() {
    Quota quota = Quota.of(Allowance.UNLIMITED).withConcurrency(2);
    TestGateway gateway = TestGateway.of(TestGateway.caller("app-a", quota));
    gateway.allow(REQUEST, 2);
    return head(refuse(gateway, REQUEST));
  }

  private String blocked() {
    TestGateway gateway =
        TestGateway.of(TestGateway.caller("scraping_bot", Quota.of(Allowance.BLOCKED)));
    return head(refuse(gateway, Request.of("scraping_bot", "u1", "GET", "/orders")));
  }

  private String tooDear() {
    TestGateway gateway = TestGateway.of(TestGateway.users(tenAMinute()));
    return head(refuse(gateway, REQUEST.withCost(20)));
  }

  private static Quota tenAMinute() {
    return TestGateway.bucket(10, TestLimits.MINUTE);
  }

  private Answer refuse(TestGateway gateway, Request request) {
    return replies.refuse(gateway.decide(request), "request-3", gateway.wallMicros());
  }

  private static String head(Answer answer) {
    List<HeaderField> told =
        answer.fields().stream().filter(f -> !f.name().equals("Content-Type")).toList();
    return "429 Too Many Requests\n" + fields(told);
  }

  private static String fields(List<HeaderField> fields) {
    return fields.stream()
        .map(f -> f.name() + ": " + f.value() + "\n")
        .collect(Collectors.joining());
  }
}
