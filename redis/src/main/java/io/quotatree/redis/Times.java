package io.quotatree.redis;

import io.quotatree.core.time.Moment;

/** A time that is handed to the store, which heeds it only where it is virtual. */
record Times(long monotonicMicros, long windowMicros) {

  static final Times STORES_OWN = new Times(0, 0);

  static Times of(Moment moment) {
    return new Times(moment.monotonicMicros(), moment.windowMicros());
  }
}
