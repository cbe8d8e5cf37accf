package io.quotatree.redis;

import io.quotatree.core.ledger.Receipt;
import org.jspecify.annotations.Nullable;

/** What a receipt keeps of the charges it stands for, line by line. */
final class Charged {

  final byte[][] keys;
  final byte[][] records;

  /** Where the charges are found again. */
  final long[] marks;

  /** Which of the lines are this gateway's alone. */
  final boolean[] isLocal;

  /** What this gateway's own ledger charged; null for nothing. */
  final @Nullable Receipt local;

  /** The permit in flight. */
  final byte[] holder;

  /** Of the quotas that it was charged under. */
  final long revision;

  /** The charges in the store, as a gateway that need not be this one wrote them down. */
  Charged(byte[][] keys, byte[][] records, long[] marks, Asked.Ask asked) {
    this.keys = keys;
    this.records = records;
    this.marks = marks;
    this.isLocal = new boolean[keys.length];
    this.local = null;
    this.holder = asked.holder();
    this.revision = asked.revision();
  }

  /** The charges of some limits of a plan. */
  Charged(Asked asked, int[] places) {
    keys = new byte[places.length][];
    records = new byte[places.length][];
    marks = new long[places.length];
    isLocal = new boolean[places.length];
    for (int line = 0; line < places.length; line++) {
      keys[line] = asked.keys[places[line]];
      records[line] = asked.records[places[line]];
      marks[line] = asked.marks[places[line]];
      isLocal[line] = asked.isLocal(places[line]);
    }
    local = asked.local == null ? null : asked.local.receipt();
    holder = asked.holder;
    revision = asked.revision;
  }
}
