package io.quotatree.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalPathTest {

  @ParameterizedTest
  @CsvSource({
    "/, /",
    "//, /",
    "/login, /login",
    "/login/, /login",
    "//login, /login",
    "/./login, /login",
    "/x/../login, /login",
    "/%6Cogin, /login",
    "/%6cogin, /login",
    "/login;jsessionid=1, /login",
    "/login;a=b/, /login",
    "/a;x=1/b;y=2/c, /a/b/c",
    "/LOGIN, /LOGIN",
    "/../../etc, /etc",
    "/a/b/.., /a",
    "/a/., /a",
    "/.well-known/x, /.well-known/x",
    "/a/...;x, /a/...",
    "/a%20b, /a%20b",
    "/%E4%BD%A0, /%E4%BD%A0",
    "/%e4%bd%a0, /%E4%BD%A0",
    "/a%25b, /a%25b",
    "/a%3Bb, /a%3Bb",
    "/a%3fb, /a%3Fb",
    "/%7Euser, /~user",
    "/a%2Bb, /a+b",
    "/%01, /%01",
  })
  void every_spelling_has_one_canonical_form_and_that_is_its_own(String path, String canonical) {
    assertThat(CanonicalPath.of(path)).isEqualTo(canonical);
    assertThat(CanonicalPath.of(canonical)).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "login",
        "/a%2Fb",
        "/a%2fb",
        "/a%5Cb",
        "/a\\b",
        "/a%00",
        "/%",
        "/a%2",
        "/a%zz",
        "/%2e%2e/x",
        "/.%2e/x",
        "/%2e",
        "/a/..;/b",
        "/a/.;x=1/b",
        "/a#b",
        "/a?b",
        "/%2E%2E"
      })
  void a_path_that_could_be_read_in_two_ways_is_refused(String path) {
    assertThatThrownBy(() -> CanonicalPath.of(path)).isInstanceOf(BadPathException.class);
    assertThatThrownBy(() -> CanonicalPath.forwarded(path)).isInstanceOf(BadPathException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "/, /",
    "/a/b, /a/b",
    "/a/b/, /a/b/",
    "//a///b, /a/b",
    "/a/./b/../c/, /a/c/",
    "/a/.., /",
    "/a/b/.., /a/",
    "/a/., /a/",
    "/a;x=1/b;y/, /a;x=1/b;y/",
    "/%6Cogin, /%6Cogin",
    "/a%20b, /a%20b",
    "/../x, /x",
  })
  void what_is_forwarded_keeps_trailing_slash_parameters_and_encoding(
      String path, String forwarded) {
    assertThat(CanonicalPath.forwarded(path)).isEqualTo(forwarded);
  }

  @Test
  void a_plain_path_is_itself_without_a_copy() {
    String path = "/order/pay";
    assertThat(CanonicalPath.of(path)).isSameAs(path);
  }

  @Test
  void what_is_forwarded_is_what_was_matched_in_every_spelling() {
    spell("", 8);
  }

  private static void spell(String path, int more) {
    for (char c : "/.;a".toCharArray()) {
      String longer = "/" + path + c;
      String matched;
      try {
        matched = CanonicalPath.of(longer);
      } catch (BadPathException refused) {
        matched = null;
      }
      if (matched != null) {
        assertThat(CanonicalPath.of(CanonicalPath.forwarded(longer))).as(longer).isEqualTo(matched);
      }
      if (more > 1) {
        spell(path + c, more - 1);
      }
    }
  }
}
