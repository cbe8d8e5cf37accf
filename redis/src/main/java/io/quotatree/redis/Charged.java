package io.quotatree.redis;

/** What a receipt keeps of the charges it stands for, line by line. */
final class Charged {

  final byte[][] keys;
  final byte[][] records;

  /** Where the charges are found again. */
  final long[] marks;

  /** The permit in flight. */
  final byte[] holder;

  /** Of the quotas that it was charged under. */
  final long revision;

  /** The charges of some limits of a plan. */
  Charged(Asked asked, int[] places) {
    keys = new byte[places.length][];
    records = new byte[places.length][];
    marks = new long[places.length];
    for (int line = 0; line < places.length; line++) {
      keys[line] = asked.keys[places[line]];
      records[line] = asked.records[places[line]];
      marks[line] = asked.marks[places[line]];
    }
    holder = asked.holder;
    revision = asked.revision;
  }
}
