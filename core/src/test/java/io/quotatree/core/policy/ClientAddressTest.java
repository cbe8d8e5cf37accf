package io.quotatree.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1, 192.0.2.0/24",
    "::ffff:192.0.2.1, 192.0.2.1, 192.0.2.0/24",
    "::ffff:c000:201, 192.0.2.1, 192.0.2.0/24",
    "2001:db8:1:2::1, 2001:db8:1:2::/64, 2001:db8:1::/48",
    "2001:DB8:1:2:0:0:0:1, 2001:db8:1:2::/64, 2001:db8:1::/48",
    "[2001:db8:1:2::1], 2001:db8:1:2::/64, 2001:db8:1::/48",
    "2001:db8::1, 2001:db8::/64, 2001:db8::/48",
    "fe80::1%eth0, fe80::/64, fe80::/48",
    "::1, ::/64, ::/48",
    "256.0.0.1, -, -",
    "1.2.3, -, -",
    "1.2.3.4.5, -, -",
    "01.2.3.4, -, -",
    "localhost, -, -",
    "dead.beef, -, -",
    "12345:x, -, -",
    "'', -, -",
  })
  void B45_an_address_is_counted_by_what_its_owner_has(
      String address, String counted, String network) {
    assertThat(ClientAddress.counted(address)).isEqualTo(counted);
    assertThat(ClientAddress.network(address)).isEqualTo(network);
  }
}
