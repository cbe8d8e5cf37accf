package io.quotatree.core.memory;

import io.quotatree.core.limit.Layer;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many counters there may be, and who may have them.
 *
 * <p>Up to half of the room anybody may have a counter for each subject. The other half is kept for
 * callers that hold less than a quarter, and for users that are known: so one caller's flood, or
 * that of made-up ids, leaves room for all others. Callers are told apart by a part of their keyed
 * hash, so a caller may share a count with another that he cannot choose.
 *
 * <p>Counts are kept by whoever makes or drops a counter, which is seldom; charging reads none.
 */
final class Room {

  /** An owner takes so many bits; two more tell the layer, and a slot keeps 16 for both. */
  private static final int OWNER_BITS = 14;

  private static final int OWNER_MASK = (1 << OWNER_BITS) - 1;

  /** Owners below this are callers; then come callers' anonymous and unproven users. */
  private static final int CALLERS = (1 << (OWNER_BITS - 1)) - 1;

  /** Who owns what the file itself bounds, and is never turned away. */
  static final int NOBODY = 2 * CALLERS;

  /** Who owns the counters that subjects without room share. */
  static final int OVERFLOW = 2 * CALLERS + 1;

  private static final int OWNERS = 2 * CALLERS + 2;
  private static final int OVERFLOW_SHARE = 16;
  private static final int FEWEST_OVERFLOW = 1024;

  private final AtomicLong unidentified = new AtomicLong();
  private final AtomicIntegerArray held = new AtomicIntegerArray(OWNERS);
  private final AtomicLongArray ofLayer = new AtomicLongArray(Layer.values().length);
  private final AtomicLong turnedAway = new AtomicLong();
  private volatile long max = Long.MAX_VALUE;

  void max(long counters) {
    max = counters;
  }

  static int owner(long callerKey, boolean unidentifiedUser) {
    int caller = (int) ((callerKey >>> (Integer.SIZE + 1)) % CALLERS);
    return unidentifiedUser ? caller + CALLERS : caller;
  }

  /** An owner's counter in a layer, as a slot keeps it. */
  static int inLayer(int owner, Layer layer) {
    return owner | number(layer) << OWNER_BITS;
  }

  private static int number(Layer layer) {
    return switch (layer) {
      case NODE -> 0;
      case CALLER -> 1;
      case USER -> 2;
      case API -> 3;
    };
  }

  /** Whether there is room for one more counter of an owner, in whichever layer. */
  boolean hasFor(int ownerInLayer) {
    int owner = ownerInLayer & OWNER_MASK;
    if (owner == NOBODY) {
      return true;
    }
    if (owner == OVERFLOW) {
      return held.get(OVERFLOW) < Math.max(FEWEST_OVERFLOW, max / OVERFLOW_SHARE);
    }
    long now = live();
    if (now >= max) {
      return false;
    }
    if (now < max / 2) {
      return true;
    }
    int caller = owner % CALLERS;
    boolean isUnidentified = owner >= CALLERS;
    return held.get(caller) + held.get(caller + CALLERS) < max / 4
        && !(isUnidentified && unidentified.get() >= max / 2);
  }

  void enter(int ownerInLayer) {
    int owner = ownerInLayer & OWNER_MASK;
    ofLayer.incrementAndGet(ownerInLayer >>> OWNER_BITS);
    held.incrementAndGet(owner);
    if (owner >= CALLERS && owner < NOBODY) {
      unidentified.incrementAndGet();
    }
  }

  void leave(int ownerInLayer) {
    int owner = ownerInLayer & OWNER_MASK;
    ofLayer.decrementAndGet(ownerInLayer >>> OWNER_BITS);
    held.decrementAndGet(owner);
    if (owner >= CALLERS && owner < NOBODY) {
      unidentified.decrementAndGet();
    }
  }

  void turnAway() {
    turnedAway.incrementAndGet();
  }

  long live() {
    long live = 0;
    for (int i = 0; i < ofLayer.length(); i++) {
      live += ofLayer.get(i);
    }
    return live;
  }

  long live(Layer layer) {
    return ofLayer.get(number(layer));
  }

  long turnedAway() {
    return turnedAway.get();
  }
}
