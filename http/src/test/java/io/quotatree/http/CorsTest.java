package io.quotatree.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CorsTest {

  private static final String PAGE = "https://app.example";

  private final Cors cors = new Cors(Set.of(PAGE, "http://localhost:3000", "http://[::1]:3000"));

  private static Optional<String> value(Answer answer, String name) {
    return answer.fields().stream()
        .filter(field -> field.name().equals(name))
        .map(HeaderField::value)
        .findFirst();
  }

  @Test
  void an_answer_to_a_listed_page_can_be_read_with_its_fields() {
    Answer answer = cors.readable(Problem.badRequest("no"), PAGE);
    assertThat(value(answer, "Access-Control-Allow-Origin")).contains(PAGE);
    assertThat(value(answer, "Access-Control-Allow-Credentials")).contains("true");
    assertThat(value(answer, "Access-Control-Expose-Headers").orElseThrow())
        .contains("Retry-After", "RateLimit-Policy", "X-RateLimit-Reset", "grpc-status");
    assertThat(value(answer, "Vary")).contains("Origin");
    assertThat(answer.body()).contains("\"status\":400");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://app.example.evil.example",
        "http://app.example",
        "https://APP.example",
        "https://app.example:444",
        "null",
        "*",
        ""
      })
  void nobody_else_is_let_in(String origin) {
    Answer answer = cors.readable(Problem.badRequest("no"), origin);
    assertThat(answer.fields()).noneMatch(field -> field.name().startsWith("Access-Control"));
    assertThat(value(answer, "Vary")).contains("Origin");
    assertThat(cors.preflight(origin, "PUT", "x-a").fields())
        .noneMatch(field -> field.name().startsWith("Access-Control"));
  }

  @Test
  void a_star_lets_every_page_read_but_without_cookies() {
    Cors any = new Cors(Set.of("*"));
    assertThat(any.allowing("https://whoever.example"))
        .containsExactly(new HeaderField("Access-Control-Allow-Origin", "*"));
    assertThat(any.allowing(null)).isEmpty();
  }

  @Test
  void a_page_that_is_listed_beside_the_star_may_send_cookies() {
    Cors both = new Cors(Set.of("*", PAGE));
    assertThat(both.allowing(PAGE))
        .contains(new HeaderField("Access-Control-Allow-Credentials", "true"));
    assertThat(both.allowing("https://whoever.example"))
        .containsExactly(new HeaderField("Access-Control-Allow-Origin", "*"));
  }

  @Test
  void a_preflight_gets_what_it_asks_for_unless_that_could_not_be_sent_back() {
    Answer plain = cors.preflight(PAGE, "PUT", "x-a, x-b");
    assertThat(plain.status()).isEqualTo(204);
    assertThat(value(plain, "Access-Control-Allow-Methods")).contains("PUT");
    assertThat(value(plain, "Access-Control-Allow-Headers")).contains("x-a, x-b");
    Answer odd = cors.preflight(PAGE, "PUT\u00e9", "x\r\nSet-Cookie: a=b");
    assertThat(value(odd, "Access-Control-Allow-Methods")).isEmpty();
    assertThat(value(odd, "Access-Control-Allow-Headers")).isEmpty();
    assertThat(value(cors.preflight(PAGE, "GET", null), "Access-Control-Allow-Headers")).isEmpty();
  }

  @Test
  void what_is_no_origin_is_refused() {
    for (String wrong : List.of("app.example", "https://app.example/", "https://*.example", "")) {
      assertThatThrownBy(() -> new Cors(Set.of(wrong)))
          .hasMessage(
              "`" + wrong + "` is no origin: write scheme and host, as `https://shop.example`");
    }
  }
}
