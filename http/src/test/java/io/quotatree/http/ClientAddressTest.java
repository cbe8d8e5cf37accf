package io.quotatree.http;

import static io.quotatree.http.TestIdentities.PROXY;
import static io.quotatree.http.TestIdentities.READER;
import static io.quotatree.http.TestIdentities.STRANGER;
import static io.quotatree.http.TestIdentities.fromProxy;
import static io.quotatree.http.TestIdentities.fromStranger;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which address a request is from, behind own proxies and without. */
final class ClientAddressTest {

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
    assertThat(fromProxy("X-Forwarded-For", "10.0.0.9, 10.0.0.2").address()).isEqualTo("10.0.0.9");
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
