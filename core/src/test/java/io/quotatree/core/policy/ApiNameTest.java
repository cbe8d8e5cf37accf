package io.quotatree.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiNameTest {

  @ParameterizedTest
  @CsvSource({
    "GET /a, GET, /a, true",
    "GET /a, HEAD, /a, true",
    "HEAD /a, GET, /a, true",
    "GET /a, POST, /a, false",
    "/a, POST, /a, true",
    "/, GET, /, true",
    "/, GET, /a, false",
    "/a, GET, /, false",
    "/a, GET, /ab, false",
    "/ab, GET, /a, false",
    "/a/b, GET, /a, false",
    "/a, GET, /a/b, false",
    "/user/{id}, GET, /user/7, true",
    "/user/{id}, GET, /user, false",
    "/user/{id}, GET, /user/7/x, false",
    "/user/{id}/lock, GET, /user/7/lock, true",
    "/order/**, GET, /order, true",
    "/order/**, GET, /order/1/2, true",
    "/order/**, GET, /orders, false",
    "/**, GET, /, true",
    "/**, GET, /x/y, true",
    "/a/, GET, /a, true",
    "/你, GET, /%E4%BD%A0, true",
  })
  void a_name_fits_by_whole_segments(String name, String method, String path, boolean fits) {
    assertThat(ApiName.parse(name).fits(method, path)).isEqualTo(fits);
    ApiIndex<String> index = new ApiIndex<>();
    index.add(ApiName.parse(name), name);
    assertThat(index.built().find(method, path) != null).isEqualTo(fits);
  }

  @Test
  void the_most_specific_name_wins_whatever_the_order_of_lines() {
    List<String> specificFirst =
        List.of(
            "GET /a/b", "/a/b", "GET /a/{x}", "/a/{x}", "GET /a/**", "/a/**", "/{x}/{y}", "/**");
    for (int from = 0; from < specificFirst.size(); from++) {
      ApiIndex<String> index = new ApiIndex<>();
      for (int i = specificFirst.size() - 1; i >= from; i--) {
        index.add(ApiName.parse(specificFirst.get(i)), specificFirst.get(i));
      }
      assertThat(index.built().find("GET", "/a/b")).isEqualTo(specificFirst.get(from));
    }
  }

  @Test
  void of_equally_specific_names_the_earlier_line_wins() {
    ApiIndex<String> index = new ApiIndex<>();
    index.add(ApiName.parse("/{x}/b"), "first");
    index.add(ApiName.parse("/a/{x}"), "second");
    assertThat(index.built().find("GET", "/a/b")).isEqualTo("first");
  }

  @Test
  void the_tree_finds_what_a_scan_of_all_lines_finds() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 300; round++) {
      List<ApiName> names =
          Stream.generate(() -> name(random)).limit(12).map(ApiName::parse).toList();
      ApiIndex<ApiName> index = new ApiIndex<>();
      names.forEach(name -> index.add(name, name));
      index.built();
      for (int i = 0; i < 40; i++) {
        String method = random.nextBoolean() ? "GET" : "POST";
        String path = path(random);
        assertThat(index.find(method, path))
            .as("%s %s among %s", method, path, names)
            .isSameAs(scan(names, method, path));
      }
    }
  }

  private static @Nullable ApiName scan(List<ApiName> names, String method, String path) {
    return names.stream()
        .filter(name -> name.fits(method, path))
        .min(ApiName.MOST_SPECIFIC_FIRST)
        .orElse(null);
  }

  private static String name(SplittableRandom random) {
    StringBuilder text = new StringBuilder(random.nextInt(3) == 0 ? "GET " : "");
    int segments = random.nextInt(4);
    for (int i = 0; i < segments; i++) {
      text.append('/').append(random.nextInt(3) == 0 ? "{p}" : "abc".charAt(random.nextInt(3)));
    }
    return text + (segments == 0 || random.nextInt(4) == 0 ? "/**" : "");
  }

  private static String path(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    int segments = random.nextInt(5);
    for (int i = 0; i < segments; i++) {
      text.append('/').append("abcd".charAt(random.nextInt(4)));
    }
    return segments == 0 ? "/" : text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "/a/**, /a/{x}, true",
    "/a/{x}, /a/**, false",
    "/{x}, /{y}, true",
    "/a, GET /a, true",
    "GET /a, /a, false",
    "/**, /, true",
    "/a/b, /a/{x}, false",
  })
  void one_name_covers_another_where_all_that_fits_the_other_fits_it(
      String one, String other, boolean covers) {
    assertThat(ApiName.parse(one).covers(ApiName.parse(other))).isEqualTo(covers);
  }

  @ParameterizedTest
  @CsvSource({
    "/a/, /a, true",
    "/u/{x}, /u/{y}, true",
    "HEAD /a, GET /a, true",
    "/%6Cogin, /login, true",
    "/a, /a/**, false",
    "GET /a, /a, false",
  })
  void names_that_fit_the_same_requests_have_one_canonical_text(
      String one, String other, boolean same) {
    assertThat(ApiName.parse(one).canonical().equals(ApiName.parse(other).canonical()))
        .isEqualTo(same);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "order", "get /a", "/a/{x", "/a/x{y}", "/a/*/b", "/a**", "/a/../b", "/a/%2Fb", "GET",
        "/a?b=1"
      })
  void what_is_no_name_is_refused_with_what_to_write(String text) {
    assertThatThrownBy(() -> ApiName.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }
}
