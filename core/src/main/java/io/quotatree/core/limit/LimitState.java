package io.quotatree.core.limit;

import java.util.Optional;

/**
 * What a decision says of one limit that it met, after the request was charged or refused.
 *
 * @param layer the layer that the limit belongs to
 * @param subject whose counter it is, with foreign bytes in names written %XX
 * @param limit the limit per time; empty for a limit on requests in flight
 * @param limitPermits permits of a period, or the requests that may be in flight at once; 0 for a
 *     blocked quota
 * @param capacityPermits the most it ever holds: the burst of a bucket, else {@code limitPermits}
 * @param remainingPermits what is left, rounded down, at least 0
 * @param reset how long until, left alone, nothing is used any more
 * @param retryAfter how long until it would grant this request; zero where it grants it now
 * @param origin where its quota was written
 * @param ambiguous whether the request met several limits of this layer
 */
public record LimitState(
    Layer layer,
    String subject,
    Optional<RateLimit> limit,
    long limitPermits,
    long capacityPermits,
    long remainingPermits,
    Wait reset,
    Wait retryAfter,
    Origin origin,
    boolean ambiguous) {

  /** Permits in use: what the capacity has more than what remains. */
  public long usedPermits() {
    return capacityPermits - remainingPermits;
  }

  /** The limit in words: {@code 10/min}, {@code 50 in flight}, or {@code blocked}. */
  public String text() {
    if (limit.isPresent()) {
      return limit.get().rate().text();
    }
    return limitPermits == 0 ? "blocked" : limitPermits + " in flight";
  }

  /** How it counts: an algorithm's word, {@code concurrency}, or {@code blocked}. */
  public String algorithm() {
    if (limit.isPresent()) {
      return limit.get().algorithm().word();
    }
    return limitPermits == 0 ? "blocked" : "concurrency";
  }

  /**
   * The name of the limit's policy in {@code RateLimit} fields: the layer, and its period where a
   * request meets several limits of the layer.
   */
  public String policyName() {
    if (!ambiguous) {
      return layer.word();
    }
    return layer.word() + "-" + limit.map(l -> l.rate().periodText()).orElse("concurrency");
  }
}
