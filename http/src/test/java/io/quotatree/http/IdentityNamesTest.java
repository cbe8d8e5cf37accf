package io.quotatree.http;

import static io.quotatree.http.TestIdentities.fromProxy;
import static io.quotatree.http.TestIdentities.fromStranger;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and cookies as they are written, and how they are read. */
final class IdentityNamesTest {

  @Nested
  final class Names {

    @Test
    void B46_names_that_look_alike_stay_apart() {
      assertThat(fromProxy("X-App-Id", "a:b", "X-User-Id", "c"))
          .isNotEqualTo(fromProxy("X-App-Id", "a", "X-User-Id", "b:c"));
      // Composed and decomposed é: two names, as they are two octet strings.
      assertThat(fromProxy("X-User-Id", "\u00c3\u00a9").user()).isEqualTo("\u00e9");
      assertThat(fromProxy("X-User-Id", "e\u00cc\u0081").user()).isEqualTo("e\u0301");
    }

    @Test
    void octets_that_are_utf8_are_read_as_such() {
      assertThat(fromProxy("X-App-Id", "\u00e5\u00ba\u0097").caller()).isEqualTo("店");
      assertThat(fromProxy("X-App-Id", "店").caller()).isEqualTo("店");
      assertThat(fromProxy("X-App-Id", "caf\u00e9").caller()).isEqualTo("caf\u00e9");
    }

    @Test
    void a_name_of_256_characters_is_kept() {
      String name = "n".repeat(256);
      assertThat(fromProxy("X-User-Id", name).user()).isEqualTo(name);
    }

    @Test
    void a_longer_name_becomes_its_digest_so_that_no_two_collide() {
      String long1 = "n".repeat(300) + "1";
      String long2 = "n".repeat(300) + "2";
      String user1 = fromProxy("X-User-Id", long1).user();
      assertThat(user1).matches("sha256-[0-9a-f]{64}");
      assertThat(fromProxy("X-User-Id", long1).user()).isEqualTo(user1);
      assertThat(fromProxy("X-User-Id", long2).user()).isNotEqualTo(user1);
      assertThat(fromStranger("Cookie", "sid=" + long1).session()).isEqualTo(user1);
    }

    @Test
    void nobody_can_pass_for_a_long_name_by_sending_its_digest() {
      String digested = fromProxy("X-User-Id", "n".repeat(300)).user();
      assertThat(fromProxy("X-User-Id", digested).user())
          .startsWith("sha256-")
          .isNotEqualTo(digested);
    }
  }

  @Nested
  final class Cookies {

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "sid=v|v",
          "a=1; sid=v; b=2|v",
          "a=1;sid=v;b=2|v",
          " sid = v |v",
          "sid=\"v\"|v",
          "sid=a=b==|a=b==",
          "sid=; sid=v|v",
          "sid; sid=v|v",
          ";;; =x; sid=v;|v",
          "sid=\"|\"",
          "sid=\"v|\"v",
          "a=\"x; sid=v|v",
        })
    void a_cookie_is_found_among_whatever_else_is_sent(String line, String value) {
      assertThat(fromStranger("Cookie", line).session()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "",
          ";",
          "=",
          "sid",
          "sid=",
          "sid=\"\"",
          "SID=v",
          "xsid=v",
          "sid x=v",
          "a=sid=v",
          "sid2"
        })
    void what_is_no_such_cookie_is_none(String line) {
      assertThat(fromStranger("Cookie", line).session()).isEmpty();
    }

    @Test
    void cookies_may_come_in_several_lines() {
      assertThat(fromStranger("Cookie", "a=1", "Cookie", "sid=v").session()).isEqualTo("v");
    }
  }
}
