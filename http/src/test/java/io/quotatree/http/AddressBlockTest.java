package io.quotatree.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressBlockTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.255.255, 11.0.0.0",
    "10.1.2.3/8, 10.0.0.0, 9.255.255.255",
    "192.0.2.128/25, 192.0.2.200, 192.0.2.127",
    "192.0.2.1, 192.0.2.1, 192.0.2.2",
    "192.0.2.1/32, ::ffff:192.0.2.1, ::ffff:192.0.2.2",
    "::ffff:10.0.0.0/104, 10.9.9.9, 11.0.0.0",
    "0.0.0.0/0, 203.0.113.9, ::1",
    "::/0, 2001:db8::1, 203.0.113.9",
    "2001:db8::/32, 2001:db8:ffff::1, 2001:db9::",
    "2001:db8:0:1::/64, 2001:db8:0:1:ffff::, 2001:db8:0:2::",
    "2001:db8::80/121, 2001:db8::ff, 2001:db8::7f",
    "::1, ::1, ::2",
  })
  void a_block_holds_the_addresses_that_share_its_first_bits(
      String block, String inside, String outside) {
    assertThat(AddressBlock.parse(block).holds(address(inside))).isTrue();
    assertThat(AddressBlock.parse(block).holds(address(outside))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/",
        "10.0.0.0/8/8",
        "10.0.0.0/ 8",
        "10.0.0/8",
        "2001:db8::/129",
        "::ffff:10.0.0.0/95",
        "proxy.example.com",
        "fe80::1%eth0",
        "10.0.0.0/٨"
      })
  void what_is_no_block_is_refused_with_its_text(String text) {
    assertThatThrownBy(() -> AddressBlock.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("`" + text + "`")
        .hasMessageContaining("write");
  }

  @Test
  void two_spellings_of_one_block_are_equal() {
    assertThat(AddressBlock.parse("10.1.2.3/8"))
        .isEqualTo(AddressBlock.parse("::ffff:10.0.0.0/104"))
        .hasSameHashCodeAs(AddressBlock.parse("10.0.0.0/8"))
        .hasToString("10.0.0.0/8")
        .isNotEqualTo(AddressBlock.parse("10.0.0.0/9"));
  }

  private static IpAddress address(String literal) {
    return IpAddress.parse(literal).orElseThrow();
  }
}
