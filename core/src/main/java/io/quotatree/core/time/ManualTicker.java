package io.quotatree.core.time;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A ticker that moves only when told to, for tests of quotas.
 *
 * <p>Safe for use by several threads.
 */
public final class ManualTicker implements Ticker {

  private final AtomicLong monotonicNanos = new AtomicLong();
  private final AtomicLong wallOffsetMicros;

  /**
   * A ticker that stands at the given wall time.
   *
   * @param start the wall time to begin with; its nanoseconds below a microsecond are dropped
   */
  public ManualTicker(Instant start) {
    wallOffsetMicros = new AtomicLong(ChronoUnit.MICROS.between(Instant.EPOCH, start));
  }

  @Override
  public long monotonicNanos() {
    return monotonicNanos.get();
  }

  @Override
  public long wallMicros(long monotonicNanos) {
    return wallOffsetMicros.get() + monotonicNanos / 1000;
  }

  /**
   * Lets both clocks run on.
   *
   * @throws IllegalArgumentException if the time is negative: monotonic time never goes back
   */
  public void advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException(
          "cannot advance by "
              + time
              + ": time only goes forward; to step the wall clock use stepWall");
    }
    monotonicNanos.addAndGet(time.toNanos());
  }

  /** Steps the wall clock alone, forward or back, as an operator or NTP would. */
  public void stepWall(Duration step) {
    wallOffsetMicros.addAndGet(step.toNanos() / 1000);
  }
}
