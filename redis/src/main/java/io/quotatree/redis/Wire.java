package io.quotatree.redis;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The scripts' arguments, packed as they read them. */
final class Wire {

  static final int HOLDER_BYTES = 16;
  static final byte[] NO_HOLDER = new byte[HOLDER_BYTES];

  private static final int VIRTUAL = 1;
  private static final int LOOK = 2;
  private static final int DECIDE_HEAD = 1 + 5 * Double.BYTES + HOLDER_BYTES;
  private static final int AMEND_HEAD = 2 + 2 * Double.BYTES;
  private static final int SETTLE = 1;
  private static final int RELEASE = 2;
  private static final int RENEW = 3;
  private static final int RESET = 4;
  private static final int REVISION = 5;

  private final Clock clock;

  Wire(Clock clock) {
    this.clock = clock;
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private int mode() {
    return clock.isVirtual() ? VIRTUAL : 0;
  }

  /** A question to decide by. */
  byte[] decide(Asked asked, long costPermits, Times times) {
    return ask(asked, costPermits, times, mode());
  }

  /** A question that changes nothing. */
  byte[] look(Asked asked, Times times) {
    return ask(asked, 1, times, mode() | LOOK);
  }

  private byte[] ask(Asked asked, long costPermits, Times times, int mode) {
    ByteBuffer out = buffer(DECIDE_HEAD + asked.records.length * LimitRecord.BYTES);
    out.put((byte) mode).putDouble(times.monotonicMicros()).putDouble(times.windowMicros());
    out.putDouble(costPermits).putDouble(asked.revision).putDouble(clock.holdMicros());
    out.put(asked.holder);
    for (byte[] record : asked.records) {
      out.put(record);
    }
    return out.array();
  }

  private ByteBuffer amend(int verb, Times times, int bytes) {
    ByteBuffer out = buffer(AMEND_HEAD + bytes);
    out.put((byte) verb).put((byte) mode());
    return out.putDouble(times.monotonicMicros()).putDouble(times.windowMicros());
  }

  /** Takes more of some counters, or gives some back. */
  byte[] settle(Charged charged, int[] lines, long morePermits, Times times) {
    int line = 1 + 5 * Double.BYTES;
    ByteBuffer out = amend(SETTLE, times, 2 * Double.BYTES + lines.length * line);
    out.putDouble(morePermits).putDouble(charged.revision());
    for (int i : lines) {
      putKindAndFigures(out, charged.records()[i]);
      out.putDouble(charged.marks()[i]);
    }
    return out.array();
  }

  private static void putKindAndFigures(ByteBuffer out, byte[] record) {
    out.put(record[0]).put(record, LimitRecord.FIGURES_AT, 4 * Double.BYTES);
  }

  /** Ends the permits in flight of a holder. */
  byte[] release(byte[] holder, Times times) {
    return amend(RELEASE, times, HOLDER_BYTES).put(holder).array();
  }

  /** Says of each counter in turn which permit is still in flight. */
  byte[] renew(byte[][] holders, Times times) {
    ByteBuffer out = amend(RENEW, times, Double.BYTES + holders.length * HOLDER_BYTES);
    out.putDouble(clock.holdMicros());
    for (byte[] holder : holders) {
      out.put(holder);
    }
    return out.array();
  }

  /** Empties counters. */
  byte[] reset(Asked asked, Times times) {
    int line = 1 + 4 * Double.BYTES;
    ByteBuffer out = amend(RESET, times, asked.records.length * line);
    for (byte[] record : asked.records) {
      putKindAndFigures(out, record);
    }
    return out.array();
  }

  /** Asks for the number of a state of the quotas. */
  byte[] revision(byte[] fingerprint, Times times) {
    return amend(REVISION, times, Fingerprint.BYTES).put(fingerprint).array();
  }
}
