package io.quotatree.core.memory;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The {@link Slots} of all segments, so that whoever reads a counter finds them without a look at
 * its segment. Written under the segment's lock, read by all; a reader of slots that were replaced
 * finds their states in transit.
 */
final class SlotTable {

  private final AtomicReferenceArray<long[]> slots;
  private final AtomicIntegerArray buckets;

  SlotTable(int segments) {
    slots = new AtomicReferenceArray<>(segments);
    buckets = new AtomicIntegerArray(segments);
  }

  long[] slots(int segment) {
    return slots.get(segment);
  }

  /** How many buckets a segment's slots have, or had a moment ago. */
  int buckets(int segment) {
    return buckets.get(segment);
  }

  void use(int segment, long[] replaced) {
    slots.set(segment, replaced);
    buckets.set(segment, Slots.size(replaced) / Slots.SLOTS_PER_BUCKET);
  }
}
