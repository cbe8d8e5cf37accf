package io.quotatree.bench.redis;

/**
 * What came of a contender's turn.
 *
 * @param perSecond decisions by the second
 * @param cpuMicros the store's CPU time for one
 * @param bytesIn that the store read for one
 * @param bytesOut that it wrote for one
 */
record Turn(double perSecond, double cpuMicros, double bytesIn, double bytesOut) {

  private static final double NANOS = 1e9;
  private static final double MICROS = 1e6;

  static Turn of(long decisions, long nanos, StoreMeter.Reading used) {
    if (decisions == 0) {
      throw new IllegalStateException("a turn ended before the first decision");
    }
    return new Turn(
        decisions * NANOS / nanos,
        used.cpuSeconds() * MICROS / decisions,
        used.bytesIn() / decisions,
        used.bytesOut() / decisions);
  }
}
