package io.quotatree.quotafile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.limit.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenRateTest {

  @ParameterizedTest
  @CsvSource({
    "100/min, 100, 60000",
    "5/10s, 5, 10000",
    "5k/s, 5000, 1000",
    "1M/h, 1000000, 3600000",
    "10_000/day, 10000, 86400000",
    "1/ms, 1, 1",
    "3/250ms, 3, 250",
    "7/second, 7, 1000",
    "7/minute, 7, 60000",
    "7/2hour, 7, 7200000",
    "1000M/366day, 1000000000, 31622400000"
  })
  void a_rate_is_permits_and_a_period(String text, long permits, long periodMillis) {
    assertThat(WrittenRate.parse(text).with(null))
        .isEqualTo(new Rate(permits, periodMillis * 1000, text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "1/",
        "/s",
        "x/s",
        "1.5/s",
        "-1/s",
        "+1/s",
        "1e3/s",
        "0x10/s",
        "1K/s",
        "1/S",
        "1/s/s",
        "1/1.5s",
        "1 /s",
        "1/ s",
        "_1/s",
        "1000000001/s",
        "1001M/s",
        "99999999999999999999/s",
        "1/0s",
        "1/367day",
        "1/99999999999day",
        "1/week",
        "１/s",
        "1/s "
      })
  void what_is_no_rate_says_what_to_write(String text) {
    assertThatThrownBy(() -> WrittenRate.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("; write ");
  }

  @Test
  void a_bare_number_takes_a_period_from_elsewhere() {
    assertThat(WrittenRate.parse("5k").with(Duration.ofMinutes(10)))
        .isEqualTo(new Rate(5000, 600_000_000, "5k/10min"));
    assertThatThrownBy(() -> WrittenRate.parse("5k").with(null))
        .hasMessage(
            "`5k` has no period; write `5k/s` or `5k/min`, or give all bare numbers one with `quotas.defaults.period`");
  }
}
