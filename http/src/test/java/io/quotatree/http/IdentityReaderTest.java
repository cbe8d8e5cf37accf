package io.quotatree.http;

import static io.quotatree.http.TestIdentities.PROXY;
import static io.quotatree.http.TestIdentities.READER;
import static io.quotatree.http.TestIdentities.STRANGER;
import static io.quotatree.http.TestIdentities.fromProxy;
import static io.quotatree.http.TestIdentities.fromStranger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.policy.Request.Proof;
import io.quotatree.http.Identity.Peer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who a request is from: whose word counts, and which of several. */
final class IdentityReaderTest {

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
}
