package io.quotatree.redis;

/** The scripts' arguments, packed as they read them. */
final class Wire {

  static final int HOLDER_BYTES = 16;
  static final byte[] NO_HOLDER = new byte[HOLDER_BYTES];

  private static final int DECIDE = 0;
  private static final int LOOK = 1;
  private static final int DECIDE_HEAD = 1 + 5 * Double.BYTES + HOLDER_BYTES;
  private static final int AMEND_HEAD = 1 + 2 * Double.BYTES;
  private static final int SETTLE = 1;
  private static final int RELEASE = 2;
  private static final int RENEW = 3;
  private static final int RESET = 4;
  private static final int REVISION = 5;
  private static final int ENTER = 6;
  private static final int ANNOUNCE = 7;
  private static final int FORGET = 8;

  private final Clock clock;

  Wire(Clock clock) {
    this.clock = clock;
  }

  /** A question to decide by. */
  byte[] decide(Asked asked, long costPermits, Times times) {
    return decide(asked, asked.records, costPermits, times);
  }

  /** A question to decide by, of some of the limits. */
  byte[] decide(Asked asked, byte[][] records, long costPermits, Times times) {
    return ask(asked, records, new Mode(DECIDE, costPermits), times);
  }

  /** A question about some of the limits that changes nothing. */
  byte[] look(Asked asked, byte[][] records, Times times) {
    return ask(asked, records, new Mode(LOOK, 1), times);
  }

  private record Mode(int number, long costPermits) {}

  private byte[] ask(Asked asked, byte[][] records, Mode mode, Times times) {
    Packing out = new Packing(DECIDE_HEAD + records.length * LimitRecord.BYTES);
    out.small(mode.number).whole(times.monotonicMicros()).whole(times.windowMicros());
    out.whole(mode.costPermits).whole(asked.revision).whole(clock.holdMicros());
    out.raw(asked.holder);
    for (byte[] record : records) {
      out.raw(record);
    }
    return out.done();
  }

  private Packing amend(int verb, Times times, int bytes) {
    Packing out = new Packing(AMEND_HEAD + bytes);
    return out.small(verb).whole(times.monotonicMicros()).whole(times.windowMicros());
  }

  /** Takes more of some counters, or gives some back. */
  byte[] settle(Charged charged, int[] lines, long morePermits, Times times) {
    int line = 1 + 5 * Double.BYTES;
    Packing out = amend(SETTLE, times, 2 * Double.BYTES + lines.length * line);
    out.whole(morePermits).whole(charged.revision);
    for (int i : lines) {
      putKindAndFigures(out, charged.records[i]);
      out.whole(charged.marks[i]);
    }
    return out.done();
  }

  /** Takes so much more of one counter. */
  byte[] charge(byte[] record, long permits, long revision, Times times) {
    Packing out = amend(SETTLE, times, 1 + 7 * Double.BYTES);
    out.whole(permits).whole(revision);
    putKindAndFigures(out, record);
    return out.whole(0).done();
  }

  private static void putKindAndFigures(Packing out, byte[] record) {
    out.small(record[0]).raw(record, LimitRecord.FIGURES_AT, 4 * Double.BYTES);
  }

  /** Ends the permits in flight of a holder. */
  byte[] release(byte[] holder, Times times) {
    return amend(RELEASE, times, HOLDER_BYTES).raw(holder).done();
  }

  /** Says of each counter in turn which permit is still in flight. */
  byte[] renew(byte[][] holders, Times times) {
    Packing out = amend(RENEW, times, Double.BYTES + holders.length * HOLDER_BYTES);
    out.whole(clock.holdMicros());
    for (byte[] holder : holders) {
      out.raw(holder);
    }
    return out.done();
  }

  /** Says of counters that a permit is in flight that they do not know of. */
  byte[] enter(byte[] holder, Times times) {
    return amend(ENTER, times, Double.BYTES + HOLDER_BYTES)
        .whole(clock.holdMicros())
        .raw(holder)
        .done();
  }

  /**
   * Says that a gateway lives for so long from now, or that it has gone.
   *
   * @param member who it is: as long as a holder
   * @param holdMicros 0 where it has gone
   * @param gaveBack whether it gave permits back since it last said so
   */
  byte[] announce(byte[] member, long holdMicros, boolean gaveBack) {
    return amend(ANNOUNCE, Times.STORES_OWN, 2 * Double.BYTES + HOLDER_BYTES)
        .whole(holdMicros)
        .raw(member)
        .whole(gaveBack ? 1 : 0)
        .done();
  }

  /**
   * Says that everybody is to forget.
   *
   * @param gaveBack whether that is since permits were given back
   */
  byte[] forget(boolean gaveBack) {
    return amend(FORGET, Times.STORES_OWN, Double.BYTES).whole(gaveBack ? 1 : 0).done();
  }

  /** Empties counters. */
  byte[] reset(Asked asked, int[] places, Times times) {
    int line = 1 + 4 * Double.BYTES;
    Packing out = amend(RESET, times, places.length * line);
    for (int place : places) {
      putKindAndFigures(out, asked.records[place]);
    }
    return out.done();
  }

  /** Asks for the number of a state of the quotas. */
  byte[] revision(byte[] fingerprint, Times times) {
    return amend(REVISION, times, Fingerprint.BYTES).raw(fingerprint).done();
  }
}
