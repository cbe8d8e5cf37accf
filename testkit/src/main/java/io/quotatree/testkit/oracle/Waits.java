package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.Wait;
import java.math.BigInteger;

/** Waits out of whole numbers of any size. */
final class Waits {

  static final Wait NONE = new Wait(0);

  /** A permit in flight comes back nobody knows when: a second is told. */
  static final Wait IN_FLIGHT = new Wait(1_000_000);

  private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE - 1);

  private Waits() {}

  /** A debt may last longer than a wait can say, and is not for ever all the same. */
  static Wait ofMicros(BigInteger micros) {
    return new Wait(micros.min(LONGEST).longValueExact());
  }

  static Wait ofMicros(long micros) {
    return new Wait(micros);
  }
}
