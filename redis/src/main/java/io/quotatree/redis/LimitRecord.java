package io.quotatree.redis;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.algorithm.Bucket;
import io.quotatree.core.algorithm.FixedWindow;
import io.quotatree.core.algorithm.InFlight;
import io.quotatree.core.algorithm.SlidingLog;
import io.quotatree.core.algorithm.SlidingWindow;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.Step;

/**
 * A limit as the scripts read it: kind, flags and layer, a byte each, and four figures as doubles.
 * The figures' meaning stands in {@code decide.lua}.
 */
final class LimitRecord {

  static final int BYTES = 3 + 4 * Double.BYTES;
  static final int FIGURES_AT = 3;

  private static final int SHADOW = 1;
  private static final int LOOSE = 2;
  private static final int ANSWERED = 7;
  private static final int OFFSET_AT = FIGURES_AT + Double.BYTES;

  private static final int IN_FLIGHT = 6;
  private static final int LAYER_AT = 2;

  private LimitRecord() {}

  /** Whether a record is of a limit on requests in flight. */
  static boolean isInFlight(byte[] record) {
    return record[0] == IN_FLIGHT;
  }

  /** Whether a record is of a limit of the node layer. */
  static boolean isNode(byte[] record) {
    return record[LAYER_AT] == Layer.NODE.word().charAt(0);
  }

  /** The record of a limit; of a window that is moved by its subject without that offset. */
  static byte[] of(Step step) {
    Algorithm algorithm = step.algorithm();
    int flags = (step.isShadow() ? SHADOW : 0) | (step.isLoose() ? LOOSE : 0);
    Packing out = new Packing(BYTES);
    // Layers are told apart by the first letters of their words.
    out.small(kind(step)).small(flags).small(step.layer().word().charAt(0));
    RateLimit limit = step.limit();
    long permits = step.limitPermits();
    long period = limit == null ? 0 : limit.rate().periodMicros();
    if (algorithm instanceof Bucket bucket) {
      put(out, bucket.gainUnits(), bucket.permitUnits(), bucket.capacityPermits(), permits);
    } else if (algorithm instanceof FixedWindow) {
      put(out, period, 0, permits, 0);
    } else if (algorithm instanceof SlidingWindow window) {
      put(out, period, window.slices(), permits, 0);
    } else if (algorithm instanceof SlidingLog) {
      put(out, period, permits, 0, 0);
    } else {
      put(out, permits, 0, 0, 0);
    }
    return out.done();
  }

  private static void put(Packing out, long a, long b, long c, long d) {
    out.whole(a).whole(b).whole(c).whole(d);
  }

  private static int kind(Step step) {
    Algorithm algorithm = step.algorithm();
    if (algorithm instanceof Bucket) {
      RateLimit limit = step.limit();
      return limit != null && limit.algorithm() == AlgorithmName.LEAKY_BUCKET ? 2 : 1;
    } else if (algorithm instanceof FixedWindow) {
      return 3;
    } else if (algorithm instanceof SlidingWindow) {
      return 4;
    } else if (algorithm instanceof SlidingLog) {
      return 5;
    } else if (algorithm instanceof InFlight) {
      return IN_FLIGHT;
    }
    throw new IllegalStateException(algorithm.shape() + " is not known to the scripts");
  }

  /** The record of a limit that was asked elsewhere. */
  static byte[] answered(Step step, boolean grants) {
    int flags = (step.isShadow() ? SHADOW : 0) | (step.isLoose() ? LOOSE : 0);
    Packing out = new Packing(BYTES);
    out.small(ANSWERED).small(flags).small(step.layer().word().charAt(0));
    put(out, grants ? 1 : 0, 0, 0, 0);
    return out.done();
  }

  /** The same fixed window, moved by its subject's offset. */
  static byte[] moved(byte[] record, long offsetMicros) {
    int rest = OFFSET_AT + Double.BYTES;
    return new Packing(BYTES)
        .raw(record, 0, OFFSET_AT)
        .whole(offsetMicros)
        .raw(record, rest, BYTES - rest)
        .done();
  }
}
