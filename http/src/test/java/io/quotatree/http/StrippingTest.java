package io.quotatree.http;

import static io.quotatree.http.TestIdentities.PROXY;
import static io.quotatree.http.TestIdentities.STRANGER;
import static io.quotatree.http.TestIdentities.fromProxy;
import static io.quotatree.http.TestIdentities.fromStranger;
import static io.quotatree.http.TestIdentities.sources;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.Request.Proof;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a request is not passed on, by who sent it. */
final class StrippingTest {

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
                List.of(), sources("header:X-Uid"), List.of(), sources("header:X-Uid"), List.of()));
    Identity identity = reader.read(TestHeaders.of("X-Uid", "u"), STRANGER);
    assertThat(identity.user()).isEqualTo("u");
    assertThat(identity.proof()).isEqualTo(Proof.UNPROVEN);
    assertThat(identity.strip().covers("X-Uid")).isTrue();
  }
}
