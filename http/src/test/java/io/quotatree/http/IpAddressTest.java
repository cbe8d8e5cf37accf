package io.quotatree.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IpAddressTest {

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "0.0.0.0, 0.0.0.0",
    "255.255.255.255, 255.255.255.255",
    "2001:DB8:1:2:0:0:0:1, 2001:db8:1:2::1",
    "2001:db8:1:2::1, 2001:db8:1:2::1",
    "2001:0db8:0000:0000:0001:0000:0000:0000, 2001:db8:0:0:1::",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "0:0:0:0:0:0:0:0, ::",
    "::1, ::1",
    "1::, 1::",
    "1:0:0:2:0:0:0:3, 1:0:0:2::3",
    "1:0:0:2:3:0:0:4, 1::2:3:0:0:4",
    "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
    "fe80::1%eth0, fe80::1",
    "fe80:0:0:0:0:0:0:1%2, fe80::1",
  })
  void one_address_has_one_spelling(String literal, String text) {
    assertThat(IpAddress.parse(literal).map(IpAddress::text)).contains(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"::ffff:192.0.2.1", "::ffff:c000:201", "0:0:0:0:0:FFFF:192.0.2.1"})
  void an_ipv4_address_in_ipv6_clothing_is_an_ipv4_address(String literal) {
    assertThat(IpAddress.parse(literal).map(IpAddress::text)).contains("192.0.2.1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "localhost",
        "example.com",
        "1",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.",
        ".1.2.3",
        "1..2.3",
        "256.1.1.1",
        "01.2.3.4",
        "1.2.3.0x4",
        "1.2.3.-4",
        "1.2.3.4 ",
        "1.2.3.4:80",
        "1.2.3.4%eth0",
        "٣.2.3.4",
        ":",
        ":::",
        "1:::2",
        "1::2::3",
        "::1::",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "1:2:3:4::5:6:7:8",
        ":1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:",
        "12345::",
        "g::",
        "::1.2.3",
        "1.2.3.4::",
        "::1.2.3.4:5",
        "[::1]",
        "::ffff:1.2.3.256",
        "-1::",
        "0000:0000:0000:0000:0000:0000:0000:0000:0000",
        "00000000000000000000000000000000000000000000000001.2.3.4"
      })
  void what_is_no_literal_is_no_address(String text) {
    assertThat(IpAddress.parse(text)).isEmpty();
  }

  @Test
  void random_ipv6_literals_are_read_as_the_jdk_reads_them() throws UnknownHostException {
    Random random = new Random(20_260_101);
    for (int round = 0; round < 20_000; round++) {
      String literal = randomLiteral(random);
      IpAddress read = IpAddress.parse(literal).orElseThrow(() -> new AssertionError(literal));
      InetAddress expected = InetAddress.getByName(literal);
      assertThat(InetAddress.getByName(read.text())).as(literal).isEqualTo(expected);
      assertThat(read.family() == IpAddress.Family.V6)
          .as(literal)
          .isEqualTo(expected instanceof Inet6Address);
      assertThat(IpAddress.parse(read.text())).contains(read);
    }
  }

  private static String randomLiteral(Random random) {
    int gap = random.nextInt(9);
    int left = gap == 8 ? 8 : random.nextInt(8 - gap) + gap;
    StringBuilder literal = new StringBuilder();
    int written = gap == 8 ? 8 : left;
    for (int i = 0; i < written; i++) {
      if (i == gap) {
        literal.append("::");
      } else if (i > 0) {
        literal.append(':');
      }
      literal.append(Integer.toHexString(random.nextInt(3) == 0 ? 0 : random.nextInt(0x10000)));
    }
    if (gap < 8 && gap >= written) {
      literal.append("::");
    }
    return literal.toString();
  }
}
