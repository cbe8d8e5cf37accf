package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.Accounting;
import io.quotatree.core.limit.Layer;
import io.quotatree.testkit.oracle.AskedQuota.Sharing;

/**
 * A limit that a request meets, with its counter.
 *
 * @param limit the limit
 * @param counter what its subject used
 */
record Met(AskedLimit limit, Counter counter) {

  Layer layer() {
    return limit.of().layer();
  }

  boolean enforced() {
    return limit.of().enforced();
  }

  boolean loose() {
    return limit.of().quota().accounting() == Accounting.LOOSE;
  }

  boolean toldWhenAllowed() {
    return enforced() && limit.rate().isPresent() && limit.of().sharing() != Sharing.INSTANCE;
  }

  boolean own() {
    return toldWhenAllowed() && limit.of().own();
  }
}
