package io.quotatree.http;

import io.quotatree.core.limit.Wait;
import java.nio.ByteBuffer;

/**
 * The seconds of a Retry-After header.
 *
 * <p>Clients that were refused in one moment and obey in one moment come back in one moment, and
 * are refused again. So each wait is stretched by a share of a bound that differs from request to
 * request: {@code ⌈w + h·min(max(w/10, 1 s), 5 s)⌉}. The share h is the first four octets of
 * SHA-256(subject, NUL, request id), big endian and unsigned, over 2^32: the same for the same
 * request, and nothing that a client could choose within one.
 */
final class RetryAfter {

  private static final long SECOND_MICROS = 1_000_000;
  private static final long LEAST_SPREAD_MICROS = SECOND_MICROS;
  private static final long MOST_SPREAD_MICROS = 5 * SECOND_MICROS;
  private static final int SHARE_BITS = 32;

  private RetryAfter() {}

  /** The wait in whole seconds, rounded up, at least 1. */
  static long exactSeconds(Wait wait) {
    return Math.max(1, wait.seconds());
  }

  /** The wait of this request, stretched, in whole seconds. */
  static long spreadSeconds(Wait wait, String subject, String requestId) {
    return exactSeconds(spread(wait, subject, requestId));
  }

  /** The wait of this request, stretched, to the microsecond. */
  static Wait spread(Wait wait, String subject, String requestId) {
    long bound = Math.min(Math.max(wait.micros() / 10, LEAST_SPREAD_MICROS), MOST_SPREAD_MICROS);
    long share = ByteBuffer.wrap(Sha256.of(subject + '\0' + requestId)).getInt() & 0xFFFF_FFFFL;
    // At most 5·10^6 · 2^32: fits. Rounded up here and to seconds below, which is rounding up once.
    long stretch = (bound * share + (1L << SHARE_BITS) - 1) >>> SHARE_BITS;
    return new Wait(wait.micros() + stretch);
  }
}
