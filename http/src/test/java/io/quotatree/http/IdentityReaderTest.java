package io.quotatree.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.policy.Request.Proof;
import io.quotatree.http.Identity.Peer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IdentityReaderTest {

  private static final String PROXY = "10.0.0.1";
  private static final String STRANGER = "198.51.100.4";

  private static final IdentityReader READER =
      new IdentityReader(
          new IdentityConfig(
              sources("header:X-App-Id", "header:X-Tenant-Id", "cookie:app"),
              sources("header:X-User-Id", "cookie:uid"),
              sources("header:X-Plan"),
              sources("header:X-Device-Id", "cookie:sid", "cookie:sid2"),
              List.of(AddressBlock.parse("10.0.0.0/8"), AddressBlock.parse("2001:db8:ffff::/48"))));

  private static List<IdentitySource> sources(String... texts) {
    return Stream.of(texts).map(IdentitySource::parse).toList();
  }

  private static Identity fromProxy(String... namesAndValues) {
    return READER.read(TestHeaders.of(namesAndValues), PROXY);
  }

  private static Identity fromStranger(String... namesAndValues) {
    return READER.read(TestHeaders.of(namesAndValues), STRANGER);
  }

  @Nested
  final class Sources {

    @Test
    void a_trusted_proxy_names_caller_user_and_plan() {
      Identity identity = fromProxy("x-app-id", "app-a", "X-User-Id", "u1", "X-Plan", "vip");
      assertThat(identity.caller()).isEqualTo("app-a");
      assertThat(identity.user()).isEqualTo("u1");
      assertThat(identity.proof()).isEqualTo(Proof.PROVEN);
      assertThat(identity.plan()).isEqualTo("vip");
      assertThat(identity.peer()).isEqualTo(Peer.TRUSTED);
    }

    @Test
    void the_first_source_that_is_present_wins() {
      assertThat(fromProxy("X-Tenant-Id", "t", "X-App-Id", "a").caller()).isEqualTo("a");
      assertThat(fromProxy("X-Tenant-Id", "t").caller()).isEqualTo("t");
      assertThat(fromProxy("Cookie", "app=c").caller()).isEqualTo("c");
      assertThat(fromProxy().caller()).isEmpty();
    }

    @Test
    void an_empty_value_is_an_absent_one() {
      assertThat(fromProxy("X-App-Id", "", "X-Tenant-Id", "t").caller()).isEqualTo("t");
      assertThat(fromProxy("X-App-Id", " \t ").caller()).isEmpty();
      assertThat(fromProxy("X-User-Id", "", "X-Device-Id", "d").user()).isEqualTo("d");
    }

    @Test
    void values_are_trimmed() {
      assertThat(fromProxy("X-App-Id", " \tapp a\t ").caller()).isEqualTo("app a");
    }

    @Test
    void without_sources_everybody_is_anonymous_by_address() {
      Identity identity =
          new IdentityReader(IdentityConfig.NONE)
              .read(TestHeaders.of("X-App-Id", "a", "X-User-Id", "u"), STRANGER);
      assertThat(identity.caller()).isEmpty();
      assertThat(identity.user()).isEmpty();
      assertThat(identity.address()).isEqualTo(STRANGER);
    }

    @Test
    void the_request_to_decide_about_has_all_of_the_identity() {
      assertThat(
              fromProxy(
                      "X-App-Id",
                      "a",
                      "X-Device-Id",
                      "d",
                      "X-Plan",
                      "p",
                      "Cookie",
                      "sid=s",
                      "X-Forwarded-For",
                      "203.0.113.7")
                  .request("post", "/x/../y"))
          .isEqualTo(
              new io.quotatree.core.policy.Request(
                  "a", "d", Proof.UNPROVEN, "p", "POST", "/x/../y", null, "203.0.113.7", "s"));
    }
  }

  @Nested
  final class Strangers {

    @Test
    void B48_a_stranger_names_nobody() {
      Identity identity =
          fromStranger(
              "X-Tenant-Id",
              "victim",
              "X-App-Id",
              "victim",
              "X-User-Id",
              "u",
              "X-Plan",
              "vip",
              "Cookie",
              "app=victim; uid=u");
      assertThat(identity.caller()).isEmpty();
      assertThat(identity.user()).isEmpty();
      assertThat(identity.plan()).isEmpty();
      assertThat(identity.peer()).isEqualTo(Peer.UNTRUSTED);
    }

    @Test
    void a_proxy_that_is_only_named_in_a_header_makes_nobody_trusted() {
      Identity identity = fromStranger("X-Forwarded-For", PROXY, "X-App-Id", "victim");
      assertThat(identity.caller()).isEmpty();
      assertThat(identity.address()).isEqualTo(STRANGER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "unix", "localhost", "10.0.0.1:443"})
    void who_has_no_address_is_not_trusted(String peer) {
      Identity identity = READER.read(TestHeaders.of("X-App-Id", "a"), peer);
      assertThat(identity.caller()).isEmpty();
      assertThat(identity.address()).isEmpty();
      assertThat(identity.peer()).isEqualTo(Peer.UNTRUSTED);
    }

    @Test
    void a_missing_peer_address_is_unknown() {
      assertThat(READER.read(TestHeaders.of("X-App-Id", "a"), null).address()).isEmpty();
    }

    @Test
    void contradictory_headers_of_a_stranger_are_ignored_like_all_of_theirs() {
      assertThat(fromStranger("X-App-Id", "a", "X-App-Id", "b").caller()).isEmpty();
    }
  }

  @Nested
  final class Unproven {

    @Test
    void made_up_ids_are_read_from_anybody() {
      assertThat(fromStranger("X-Device-Id", "d1").user()).isEqualTo("d1");
      assertThat(fromStranger("X-Device-Id", "d1").proof()).isEqualTo(Proof.UNPROVEN);
      assertThat(fromProxy("X-Device-Id", "d1").proof()).isEqualTo(Proof.UNPROVEN);
    }

    @Test
    void a_proven_user_is_preferred() {
      Identity identity = fromProxy("X-Device-Id", "d1", "X-User-Id", "u1");
      assertThat(identity.user()).isEqualTo("u1");
      assertThat(identity.proof()).isEqualTo(Proof.PROVEN);
    }

    @Test
    void a_user_header_of_a_stranger_leaves_the_made_up_id_in_force() {
      Identity identity = fromStranger("X-User-Id", "victim", "X-Device-Id", "d1");
      assertThat(identity.user()).isEqualTo("d1");
      assertThat(identity.proof()).isEqualTo(Proof.UNPROVEN);
    }

    @Test
    void nobody_at_all_is_not_unproven() {
      assertThat(fromStranger().user()).isEmpty();
      assertThat(fromStranger().proof()).isEqualTo(Proof.PROVEN);
    }

    @Test
    void the_session_is_the_first_present_cookie_whoever_the_user_is() {
      assertThat(fromProxy("X-User-Id", "0", "Cookie", "sid=s1; sid2=s2").session())
          .isEqualTo("s1");
      assertThat(fromStranger("Cookie", "sid2=s2").session()).isEqualTo("s2");
      assertThat(fromStranger("X-Device-Id", "d").session()).isEmpty();
    }

    @Test
    void a_session_is_not_told_to_logs() {
      Identity identity = fromProxy("X-User-Id", "u1", "Cookie", "sid=secret");
      assertThat(identity.toString()).contains("u1", PROXY).doesNotContain("secret");
    }

    @Test
    void contradictory_made_up_ids_count_as_the_first() {
      assertThat(fromStranger("X-Device-Id", "d1", "X-Device-Id", "d2").user()).isEqualTo("d1");
      assertThat(fromStranger("Cookie", "sid=s1; sid=s2").session()).isEqualTo("s1");
    }
  }

  @Nested
  final class Ambiguity {

    @Test
    void two_values_of_a_believed_header_are_refused_without_repeating_them() {
      assertThatThrownBy(() -> fromProxy("X-User-Id", "secret-1", "x-user-id", "secret-2"))
          .isInstanceOf(BadIdentityException.class)
          .hasMessage("the header X-User-Id says 2 different identities: send one");
    }

    @Test
    void two_values_of_a_believed_cookie_are_refused() {
      assertThatThrownBy(() -> fromProxy("Cookie", "uid=a", "Cookie", "b=1; uid=b"))
          .isInstanceOf(BadIdentityException.class)
          .hasMessageContaining("cookie uid");
    }

    @Test
    void the_same_value_twice_is_no_contradiction() {
      assertThat(fromProxy("X-User-Id", "u1", "X-User-Id", "u1").user()).isEqualTo("u1");
    }

    @Test
    void a_source_that_does_not_win_may_be_contradictory() {
      assertThat(fromProxy("X-App-Id", "a", "X-Tenant-Id", "b", "X-Tenant-Id", "c").caller())
          .isEqualTo("a");
    }

    @Test
    void a_comma_is_part_of_a_name() {
      assertThat(fromProxy("X-User-Id", "cn=u1,dc=example").user()).isEqualTo("cn=u1,dc=example");
    }
  }

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

  @Nested
  final class Addresses {

    @Test
    void B43_the_client_is_the_first_stranger_from_the_right() {
      assertThat(fromProxy("X-Forwarded-For", "198.51.100.9, 203.0.113.7").address())
          .isEqualTo("203.0.113.7");
      assertThat(fromStranger("X-Forwarded-For", "198.51.100.9, 203.0.113.7").address())
          .isEqualTo(STRANGER);
    }

    @Test
    void own_proxies_are_skipped() {
      assertThat(
              fromProxy("X-Forwarded-For", "1.1.1.1, 203.0.113.7, 2001:db8:ffff::5, 10.0.0.2")
                  .address())
          .isEqualTo("203.0.113.7");
    }

    @Test
    void several_lines_are_one_list() {
      assertThat(
              fromProxy("X-Forwarded-For", "1.1.1.1", "X-Forwarded-For", "203.0.113.7, 10.0.0.2")
                  .address())
          .isEqualTo("203.0.113.7");
    }

    @Test
    void where_all_are_own_proxies_the_farthest_is_the_client() {
      assertThat(fromProxy("X-Forwarded-For", "10.0.0.9, 10.0.0.2").address())
          .isEqualTo("10.0.0.9");
    }

    @Test
    void without_the_header_the_proxy_itself_is_the_client() {
      assertThat(fromProxy().address()).isEqualTo(PROXY);
      assertThat(fromProxy("X-Forwarded-For", "").address()).isEqualTo(PROXY);
      assertThat(fromProxy("Forwarded", "for=203.0.113.7").address()).isEqualTo(PROXY);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "unknown",
          "_hidden",
          "example.com",
          "203.0.113",
          "[203.0.113.7]",
          "[::1",
          "::1]",
          "203.0.113.7:x",
          "203.0.113.7:",
          "[::1]x",
          "[]",
          ":80",
          "' OR 1=1",
          "203.0.113.7 203.0.113.8",
          "203.0.113.7:123456"
        })
    void garbage_ends_the_walk_at_the_last_good_address(String garbage) {
      assertThat(fromProxy("X-Forwarded-For", "1.1.1.1, " + garbage + ", 10.0.0.2").address())
          .isEqualTo("10.0.0.2");
      assertThat(fromProxy("X-Forwarded-For", "1.1.1.1, " + garbage).address()).isEqualTo(PROXY);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "203.0.113.7:4711|203.0.113.7",
          "[2001:db8::7]:4711|2001:db8::7",
          "[2001:db8::7]|2001:db8::7",
          "2001:DB8:0::7|2001:db8::7",
          "fe80::1%eth0|fe80::1",
          "203.0.113.7 , ,|203.0.113.7",
          "\t203.0.113.7\t|203.0.113.7",
        })
    void addresses_are_read_with_ports_zones_and_blanks(String header, String address) {
      assertThat(fromProxy("X-Forwarded-For", header).address()).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"::ffff:192.0.2.1", "::ffff:c000:201", "192.0.2.1"})
    void B45_one_address_in_three_spellings_is_one(String peer) {
      assertThat(READER.read(TestHeaders.of(), peer).address()).isEqualTo("192.0.2.1");
    }

    @Test
    void B45_a_link_local_peer_with_its_zone_is_no_error() {
      assertThat(READER.read(TestHeaders.of(), "fe80:0:0:0:0:0:0:1%eth0").address())
          .isEqualTo("fe80::1");
    }

    @Test
    void a_proxy_in_ipv6_clothing_is_as_trusted() {
      assertThat(READER.read(TestHeaders.of("X-App-Id", "a"), "::ffff:10.0.0.1").caller())
          .isEqualTo("a");
    }

    @Test
    void an_endless_chain_is_walked_for_64_hops_alone() {
      String chain = "203.0.113.7" + ", 10.0.0.3".repeat(64);
      assertThat(fromProxy("X-Forwarded-For", chain).address()).isEqualTo("10.0.0.3");
      String within = "203.0.113.7" + ", 10.0.0.3".repeat(63);
      assertThat(fromProxy("X-Forwarded-For", within).address()).isEqualTo("203.0.113.7");
    }
  }

  @Nested
  final class Stripping {

    @ParameterizedTest
    @ValueSource(
        strings = {
          "X-App-Id",
          "x-tenant-id",
          "X-User-Id",
          "X-Plan",
          "X_User_Id",
          "x-user_id",
          "X-Forwarded-For",
          "x-forwarded-proto",
          "X_Forwarded_Host",
          "Forwarded",
          "X-Real-IP",
          "X-Quotatree-Caller"
        })
    void what_a_stranger_may_not_say_is_removed(String name) {
      assertThat(fromStranger().strip().covers(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "X-Device-Id",
          "Cookie",
          "Accept",
          "X-Request-Id",
          "X-Forwarded",
          "X-User-Id-2",
          "Host",
          ""
        })
    void all_else_of_a_stranger_passes(String name) {
      assertThat(fromStranger().strip().covers(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "X-App-Id",
          "x-user-id",
          "X-Forwarded-For",
          "Forwarded",
          "X-Real-IP",
          "X-Device-Id"
        })
    void what_a_trusted_proxy_says_passes(String name) {
      assertThat(fromProxy().strip().covers(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"X_User_Id", "x-app_id", "X_PLAN", "X_Forwarded_For", "X-Real_IP"})
    void look_alikes_of_what_a_proxy_says_do_not_pass_a_trusted_proxy(String name) {
      assertThat(fromProxy().strip().covers(name)).isTrue();
    }

    @Test
    void a_header_that_is_configured_with_an_underscore_is_told_from_its_look_alike() {
      IdentityReader reader =
          new IdentityReader(
              new IdentityConfig(
                  sources("header:x_app"),
                  List.of(),
                  List.of(),
                  List.of(),
                  List.of(AddressBlock.parse(PROXY))));
      StripRule strip = reader.read(TestHeaders.of(), PROXY).strip();
      assertThat(strip.covers("X_App")).isFalse();
      assertThat(strip.covers("X-App")).isTrue();
    }

    @Test
    void a_header_that_is_user_and_made_up_id_at_once_is_read_from_a_stranger_and_removed() {
      IdentityReader reader =
          new IdentityReader(
              new IdentityConfig(
                  List.of(),
                  sources("header:X-Uid"),
                  List.of(),
                  sources("header:X-Uid"),
                  List.of()));
      Identity identity = reader.read(TestHeaders.of("X-Uid", "u"), STRANGER);
      assertThat(identity.user()).isEqualTo("u");
      assertThat(identity.proof()).isEqualTo(Proof.UNPROVEN);
      assertThat(identity.strip().covers("X-Uid")).isTrue();
    }
  }
}
