package io.quotatree.redis;

/**
 * Whose time decides, and for how long a permit in flight is held without being renewed.
 *
 * @param isVirtual whether the time is handed over with each question, as scenarios do
 * @param holdMicros how long a permit is held after it was renewed last
 */
record Clock(boolean isVirtual, long holdMicros) {

  /** The store's own time. Gateways renew three times within a hold. */
  static final Clock OF_THE_STORE = new Clock(false, 30_000_000L);

  /** Time that only moves when told to: nobody renews, and nobody is thought to be gone. */
  static final Clock VIRTUAL = new Clock(true, 1L << 49);
}
