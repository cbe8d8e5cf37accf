package io.quotatree.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Wait;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RetryAfterTest {

  @ParameterizedTest
  @CsvSource({
    "1500000, 2",
    "400000, 1",
    "400, 1",
    "59999000, 60",
    "60000000, 60",
    "60000001, 61",
    "1, 1",
    "0, 1",
    "3153600000000000, 3153600000",
  })
  void B57_whole_seconds_rounded_up_and_never_0(long waitMicros, long seconds) {
    assertThat(RetryAfter.exactSeconds(new Wait(waitMicros))).isEqualTo(seconds);
  }

  @Test
  void a_spread_wait_is_the_formula_to_the_last_digit() throws Exception {
    Random random = new Random(20_260_102);
    for (int round = 0; round < 5_000; round++) {
      long waitMicros = 1 + (long) (Math.pow(random.nextDouble(), 6) * 2_000_000_000_000L);
      String subject = "app-" + random.nextInt(50);
      String requestId = "r" + round;
      assertThat(RetryAfter.spreadSeconds(new Wait(waitMicros), subject, requestId))
          .as("wait %d µs, subject %s, request %s", waitMicros, subject, requestId)
          .isEqualTo(byFormula(waitMicros, subject, requestId));
    }
  }

  /** ⌈w + h·min(max(w/10, 1 s), 5 s)⌉ in exact decimals. */
  private static long byFormula(long waitMicros, String subject, String requestId)
      throws Exception {
    byte[] digest =
        MessageDigest.getInstance("SHA-256")
            .digest((subject + "\0" + requestId).getBytes(StandardCharsets.UTF_8));
    BigDecimal h =
        new BigDecimal(new BigInteger(1, Arrays.copyOf(digest, 4)))
            .divide(BigDecimal.valueOf(1L << 32));
    BigDecimal wait = BigDecimal.valueOf(waitMicros, 6);
    BigDecimal bound = wait.movePointLeft(1).max(BigDecimal.ONE).min(BigDecimal.valueOf(5));
    return wait.add(h.multiply(bound)).setScale(0, RoundingMode.CEILING).longValueExact();
  }

  @Test
  void the_spread_never_lets_anybody_come_early_nor_over_5_seconds_late() {
    for (long waitMicros : new long[] {1, 400_000, 1_000_000, 30_000_000, 3_600_000_000L}) {
      long exact = RetryAfter.exactSeconds(new Wait(waitMicros));
      long bound = Math.min(Math.max(waitMicros / 10, 1_000_000), 5_000_000) / 1_000_000 + 1;
      assertThat(IntStream.range(0, 500).mapToLong(i -> spread(waitMicros, i)))
          .allMatch(seconds -> seconds >= exact && seconds <= exact + bound);
    }
  }

  @Test
  void clients_of_one_moment_are_spread_over_the_whole_bound() {
    long[] seconds = IntStream.range(0, 1_000).mapToLong(i -> spread(100_000_000, i)).toArray();
    for (long second = 101; second <= 105; second++) {
      long expected = second;
      assertThat(Arrays.stream(seconds).filter(s -> s == expected).count())
          .as("clients told %d s", second)
          .isBetween(130L, 270L);
    }
  }

  @Test
  void one_request_is_told_the_same_whenever_it_is_asked() {
    assertThat(spread(100_000_000, 7)).isEqualTo(spread(100_000_000, 7));
  }

  @Test
  void subject_and_request_id_cannot_be_shifted_into_each_other() {
    assertThat(
            IntStream.range(0, 50)
                .anyMatch(
                    i ->
                        RetryAfter.spreadSeconds(new Wait(100_000_000), "a" + i, "b")
                            != RetryAfter.spreadSeconds(new Wait(100_000_000), "a", i + "b")))
        .isTrue();
  }

  private static long spread(long waitMicros, int request) {
    return RetryAfter.spreadSeconds(new Wait(waitMicros), "app-a/u1", "request-" + request);
  }
}
