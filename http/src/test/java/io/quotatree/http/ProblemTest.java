package io.quotatree.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProblemTest {

  private static final HeaderField JSON =
      new HeaderField("Content-Type", "application/problem+json");

  @Test
  void a_problem_has_the_shape_of_a_refusal() {
    assertThat(Problem.notFound("no route takes this path"))
        .isEqualTo(
            new Answer(
                404,
                List.of(JSON),
                "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,\"code\":404,"
                    + "\"message\":\"no route takes this path\"}"));
  }

  @Test
  void each_problem_has_its_status() {
    assertThat(Problem.badRequest("r").status()).isEqualTo(400);
    assertThat(Problem.badGateway("r").status()).isEqualTo(502);
    assertThat(Problem.gatewayTimeout("r").status()).isEqualTo(504);
  }

  @Test
  void a_problem_of_any_status_has_its_phrase_and_its_fields() {
    Answer answer = Problem.of(405, "only GET", new HeaderField("Allow", "GET"));
    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.fields()).containsExactly(new HeaderField("Allow", "GET"), JSON);
    assertThat(answer.body()).contains("\"title\":\"Method Not Allowed\"");
    assertThat(Problem.of(499, "m").body()).contains("\"title\":\"Error\"");
  }

  @Test
  void unavailable_asks_to_come_back_in_a_second() {
    Answer answer = Problem.unavailable("r");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.fields()).containsExactly(new HeaderField("Retry-After", "1"), JSON);
  }

  @Test
  void a_long_reason_is_cut_between_characters() {
    assertThat(Problem.badRequest("x".repeat(1_000)).body())
        .contains("\"" + "x".repeat(1_000) + "\"");
    assertThat(Problem.badRequest("x".repeat(1_001)).body())
        .contains("\"" + "x".repeat(1_000) + "…\"");
    assertThat(Problem.badRequest("x".repeat(999) + "😀".repeat(9)).body())
        .contains("\"" + "x".repeat(999) + "…\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nb", "a\u0000", "é", "\t", "\u007f"})
  void a_header_field_that_could_end_its_line_cannot_be_made(String value) {
    assertThatThrownBy(() -> new HeaderField("X-A", value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("X-A");
  }
}
