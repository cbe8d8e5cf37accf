package io.quotatree.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Layer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names, addresses, paths and patterns as the reference reads them. */
class MatchingTest {

  @ParameterizedTest
  @CsvSource({
    "/a, GET, /a, true",
    "/a, GET, /a/b, false",
    "/a, GET, /A, false",
    "GET /a, HEAD, /a, true",
    "GET /a, POST, /a, false",
    "/a/{id}, GET, /a/1, true",
    "/a/{id}, GET, /a, false",
    "/a/{id}, GET, /a/1/2, false",
    "/a/**, GET, /a, true",
    "/a/**, GET, /a/1/2, true",
    "/a/**, GET, /ab, false",
    "/**, GET, /, true",
    "/**, GET, /x/y, true",
    "/, GET, /, true",
    "/{x}, GET, /, false",
  })
  void a_name_fits(String name, String method, String path, boolean fits) {
    assertThat(Apis.fits(name, method, path)).isEqualTo(fits);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/a/{id};/a/1 | /a/1 | /a/1",
        "/**;/a/** | /a/1 | /a/**",
        "/a/**;/a/{id} | /a/1 | /a/{id}",
        "/{x}/b;/a/{y} | /a/b | /{x}/b",
        "/ab/{y};/{x}/c | /ab/c | /ab/{y}",
        "/{x}/b/**;/{x}/{y}/** | /a/b/c | /{x}/b/**",
        "/a/{x}/{y};/a/** | /a/b/c | /a/{x}/{y}",
        "/a;GET /a | /a | GET /a",
        "/a/{x};GET /a/** | /a/b | /a/{x}",
        "/{y};/{x} | /a | /{y}",
      })
  void the_most_specific_name_wins(String names, String path, String wins) {
    List<String> lines = List.of(names.split(";"));
    assertThat(Apis.best(lines, "GET", path).map(lines::get)).contains(wins);
  }

  @Test
  void an_exact_name_beats_patterns_then_the_longest_then_the_earlier() {
    assertThat(best(List.of("a*", "ab"), "ab")).contains("ab");
    assertThat(best(List.of("a*", "ab*"), "abc")).contains("ab*");
    assertThat(best(List.of("a*c", "ab*"), "abc")).contains("a*c");
    assertThat(best(List.of("a*c"), "ab")).isEmpty();
    assertThat(best(List.of("ab*ba"), "aba")).isEmpty();
  }

  private static Optional<String> best(List<String> patterns, String name) {
    return Patterns.best(patterns, pattern -> pattern, name);
  }

  @ParameterizedTest
  @CsvSource({
    "'', -, -",
    "192.0.2.1, 192.0.2.1, 192.0.2.0/24",
    "::ffff:192.0.2.1, 192.0.2.1, 192.0.2.0/24",
    "::FFFF:c000:201, 192.0.2.1, 192.0.2.0/24",
    "2001:db8:1:2::1, 2001:db8:1:2::/64, 2001:db8:1::/48",
    "2001:DB8:1:2:0:0:0:2, 2001:db8:1:2::/64, 2001:db8:1::/48",
    "2001:db8::5, 2001:db8::/64, 2001:db8::/48",
    "2001:db8:0:7::, 2001:db8:0:7::/64, 2001:db8::/48",
    "fe80::1%eth0, fe80::/64, fe80::/48",
    "::1, ::/64, ::/48",
  })
  void addresses_are_written_by_their_network(String address, String one, String network) {
    assertThat(Addresses.one(address)).isEqualTo(one);
    assertThat(Addresses.network(address)).isEqualTo(network);
  }

  @ParameterizedTest
  @CsvSource({
    "/a, /a",
    "//a, /a",
    "/a/, /a",
    "/./a, /a",
    "/x/../a, /a",
    "/../a, /a",
    "/%61, /a",
    "/a;v=1, /a",
    "/a;v=1/b;w, /a/b",
    "/, /",
    "//, /",
    "/a/., /a",
    "/%41, /A"
  })
  void tame_paths_have_one_spelling(String path, String canonical) {
    assertThat(TamePath.canonical(path)).isEqualTo(canonical);
  }

  @Test
  void names_are_escaped_byte_by_byte() {
    assertThat(Names.escaped("A-z_0.9@+")).isEqualTo("A-z_0.9@+");
    assertThat(Names.escaped("a:b/é%")).isEqualTo("a%3Ab%2F%C3%A9%25");
    assertThat(Names.user("anonymous")).isEqualTo("%61nonymous");
  }

  @Test
  void a_session_is_hashed() {
    // SHA-256 of "abc" begins with ba7816bf 8f01cfea.
    assertThat(Names.session("abc")).isEqualTo("ba7816bf8f01cfea");
  }

  @Test
  void a_stagger_is_whole_milliseconds_below_a_minute_and_below_the_period() {
    // Worked out with sha256sum: printf 'caller\0app-a' begins with 75e2495c 1b829a37.
    assertThat(Names.staggerMicros(Layer.CALLER, "app-a", 3_600_000_000L)).isEqualTo(19_639_000);
    assertThat(Names.staggerMicros(Layer.CALLER, "app-a", 7_000)).isEqualTo(3_000);
    assertThat(Names.staggerMicros(Layer.CALLER, "app-a", 1_000)).isZero();
  }
}
