package io.quotatree.core.algorithm;

import io.quotatree.core.limit.Rate;

/**
 * Requests in flight at once. The word is their number; it goes down when a permit is released, and
 * time alone never changes it.
 */
public final class InFlight extends WordAlgorithm {

  /** What a refused request is told to wait: nobody knows when a request will end. */
  private static final long WAIT_MICROS = 1_000_000;

  private final long permits;

  /**
   * A bound on requests in flight.
   *
   * @param permits 1 to 10^9
   */
  public InFlight(long permits) {
    super(false);
    if (permits < 1 || permits > Rate.MAX_PERMITS) {
      throw new IllegalArgumentException(
          permits + " requests in flight; write 1 to " + Rate.MAX_PERMITS);
    }
    this.permits = permits;
  }

  @Override
  public long capacityPermits() {
    return permits;
  }

  @Override
  public String shape() {
    return "concurrency";
  }

  @Override
  public String figures() {
    return shape();
  }

  @Override
  public long fresh(long now, int offsetMillis) {
    return 0;
  }

  @Override
  public boolean isFresh(long word, long now) {
    return word == 0;
  }

  /** Asks for one permit, whatever the request costs. */
  @Override
  public long charged(long word, long now, long costPermits) {
    return word < permits ? word + 1 : REFUSED;
  }

  /** The word after a permit was given back; never below nothing. */
  @Override
  public long undone(long word, long chargedWord, long elapsedMicros, long costPermits) {
    return word == 0 ? 0 : word - 1;
  }

  /** Permits in flight are released, never refunded. */
  @Override
  public long refunded(long word, long chargedWord, long now, long costPermits) {
    return word;
  }

  /** Whatever a request turns out to cost, it holds its one permit. */
  @Override
  public long owed(long word, long now, long costPermits) {
    return word;
  }

  /** Requests in flight are not forgotten: they would come back as permits that nobody took. */
  @Override
  public long emptied(long word, long now) {
    return word;
  }

  @Override
  public long remaining(long word, long now) {
    return Math.max(0, permits - word);
  }

  @Override
  public long waitMicros(long word, long now, long costPermits) {
    return grants(word, now, costPermits) ? 0 : WAIT_MICROS;
  }

  @Override
  public long resetMicros(long word, long now) {
    return word == 0 ? 0 : WAIT_MICROS;
  }

  @Override
  public long adopted(long word, WordAlgorithm writer, long now) {
    return word;
  }
}
